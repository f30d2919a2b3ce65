import Testing
import VaultCrypto

@testable import AliroEngine

/// The published negatives, each with its status word, and the refusals behind them.
@Suite struct NegativeVectorTests {
  private func negative(_ name: String) throws -> Vector {
    try #require(Vector.all.negative.list.first { $0.name.text == name })
  }

  @Test(arguments: [
    "reader signature made by another key",
    "reader signs the device constant instead of its own",
    "reader identifier differs between AUTH0 and signature",
    "signature r = 0",
  ])
  func `AUTH1 with a wrong signature is 6982 and signs nothing`(name: String) throws {
    let session = try Transaction.direct.session()
    Transaction.direct.beforeAuth1(session)
    let step = session.command(try negative(name).auth1Command.hex)
    expectFailure(step, 0x6982, .readerUntrusted)
    #expect(session.signer.transcripts.isEmpty)
  }

  @Test(arguments: [
    ("AUTH0 protocol version 0001", 0x6985, Refusal.Code.unsupported),
    ("AUTH0 reader ephemeral key not on the curve", 0x6701, .protocolError),
    ("AUTH0 key under tag 88", 0x6701, .protocolError),
    ("AUTH0 transaction identifier of 15 octets", 0x6701, .protocolError),
    ("AUTH0 P1 = 01", 0x6A86, .protocolError),
  ])
  func `a wrong AUTH0 ends the session`(
    name: String, statusWord: UInt16, code: Refusal.Code
  ) throws {
    let session = try Transaction.direct.started()
    expectFailure(session.command(try negative(name).auth0Command.hex), statusWord, code)
    #expect(session.command(Transaction.direct.vector.auth0Command.hex).state == .failed)
  }

  @Test func `an unknown tag is skipped`() throws {
    let session = try Transaction.direct.started()
    let command = try negative("AUTH0 unknown tag AA at the end is ignored").auth0Command.hex
    let step = session.command(command)
    #expect(step.messages == [frame(0, 1, Transaction.direct.vector.auth0Response.hex)])
    var auth1 = Transaction.direct.vector.auth1Command.hex
    auth1.replaceSubrange(4..<5, with: [0x48])
    auth1.insert(contentsOf: [0xAA, 0x01, 0x00], at: 5)
    let answer = session.command(auth1)
    #expect(answer.messages == [frame(0, 1, Transaction.direct.vector.auth1Response.hex)])
  }

  @Test func `an unknown group looks like a known one until AUTH1`() throws {
    let session = try Transaction.direct.started()
    let auth0 = try negative("AUTH0 unknown reader group, then AUTH1").auth0Command.hex
    let step = session.command(auth0)
    #expect(step.messages == [frame(0, 1, Transaction.direct.vector.auth0Response.hex)])
    #expect(step.refusal == nil)
    let auth1 = session.command(Transaction.direct.vector.auth1Command.hex)
    expectFailure(auth1, 0x6982, .readerUntrusted)
    #expect(session.signer.transcripts.isEmpty)
  }

  @Test func `the fast form is answered with 64 octets and then the standard path goes on`() throws
  {
    let vector = Transaction.direct.vector
    let session = try Transaction.direct.started()
    let step = session.command(try negative("AUTH0 fast without a stored key").auth0Command.hex)
    let answer = try #require(step.messages.first)
    let expected = Array(vector.auth0Response.hex.dropLast(2)) + [0x9D, 0x40]
    #expect(Array(answer.dropFirst(4).prefix(expected.count)) == expected)
    #expect(answer.count == 4 + expected.count + 64 + 2)
    // The signature covers no flags; the keys do, so the answer is another one.
    let auth1 = session.command(vector.auth1Command.hex)
    #expect(auth1.state == .awaitingCompletion)
    #expect(auth1.messages != [frame(0, 1, vector.auth1Response.hex)])
  }

  @Test func `AUTH1 before AUTH0 is 6D00`() throws {
    let session = try Transaction.direct.started()
    let step = session.command(try negative("AUTH1 before AUTH0").auth1Command.hex)
    expectFailure(step, 0x6D00, .protocolError)
  }

  @Test func `a certificate of another issuer is taken, and AUTH1 is 6982`() throws {
    let name = "LOAD CERT with a certificate not signed by the issuer, then AUTH1"
    let session = try Transaction.certified.started()
    _ = session.command(Transaction.certified.vector.auth0Command.hex)
    let loaded = session.command(try negative(name).loadCertCommand.hex)
    #expect(loaded.statusWord == 0x9000)
    #expect(loaded.state == .awaitingAuth1)
    let step = session.command(Transaction.certified.vector.auth1Command.hex)
    expectFailure(step, 0x6982, .readerUntrusted)
    #expect(session.signer.transcripts.isEmpty)
  }

  @Test func `EXCHANGE that does not verify is 6982`() throws {
    let flipped = try negative("EXCHANGE with a flipped bit").exchangeCommand.hex
    for command in [flipped, hexOctets("80c9000001ff")] {
      let session = try Transaction.direct.session()
      Transaction.direct.afterAuth1(session)
      expectFailure(session.command(command), 0x6982, .protocolError)
    }
  }

  @Test func `EXCHANGE that reads outside of the mailbox is answered without data`() throws {
    let settings = MailboxSettings(
      size: 64, isReadable: true, isWritable: false, isUsableInStepUp: false)
    let session = try Transaction.direct.session(
      mailbox: settings, memory: FakeMemory(mailbox: [UInt8](repeating: 0, count: 64)))
    Transaction.direct.afterAuth1(session)
    var reader = try Transaction.direct.commandChannel(answered: 1)
    let plaintext = try negative("EXCHANGE reading outside the mailbox").exchangeCommandPlaintext
    let answer = session.fetch(try reader.exchange(plaintext.hex))
    #expect(try reader.open(answer) == [0x00, 0x02, 0xFF, 0xFF])
    #expect(session.state == .awaitingCompletion)
  }
}

/// Checks that a step is the end of a session, with this status word and reason.
func expectFailure(
  _ step: PresentationStep, _ statusWord: UInt16?, _ code: Refusal.Code,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let answer = statusWord.map { [frame(0, 1, [UInt8($0 >> 8), UInt8($0 & 0xFF)])] } ?? []
  #expect(step.messages == answer, sourceLocation: sourceLocation)
  #expect(step.statusWord == statusWord, sourceLocation: sourceLocation)
  #expect(step.state == .failed, sourceLocation: sourceLocation)
  #expect(step.refusal?.code == code, sourceLocation: sourceLocation)
  #expect(step.events.last?.kind == .failed, sourceLocation: sourceLocation)
}
