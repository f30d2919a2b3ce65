import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// Section 14, over BLE.
@Suite struct StatusWordTests {
  private let vector = Transaction.direct.vector

  @Test(
    arguments: [
      ("a wrong class", "00800000", 0x6800),
      ("a chaining bit where no chain can be", "903c0000", 0x6800),
      ("GET DATA with the wrong class", "80ca7f68", 0x6800),
      ("an unknown instruction", "80820000", 0x6D00), ("no APDU at all", "8080", 0x6701),
      ("wrong parameters", "80800001", 0x6A86),
      ("GET DATA of something else", "00ca7f6700", 0x6A86),
      ("an Lc that is too small", "8080000001410000", 0x6701),
      ("an Lc that is too large", "808000000541", 0x6701),
      ("an Le that is not zero", "808000000541010042010f", 0x6701),
      ("an Le alone that is not zero", "8080000001", 0x6701),
      ("an extended Lc", "8080000000000141", 0x6701),
      ("no data", "80800000", 0x6701), ("data that is no TLV", "808000000141", 0x6701),
      ("GET RESPONSE with nothing to get", "00c0000000", 0x6D00),
      ("GET RESPONSE with data", "00c0000001aa", 0x6701),
      ("GET RESPONSE with data and Le", "00c0000001aa00", 0x6701),
      ("the expedited application selected", "00a4040009a000000909acce550100", 0x6D00),
      ("the step-up application selected", "00a4040009a000000909acce550200", 0x6D00),
      ("LOAD CERT before AUTH0", "80d10000", 0x6D00), ("EXCHANGE", "80c9000001ff", 0x6D00),
      ("a chained ENVELOPE", "10c3000001ff", 0x6D00),
    ] as [(String, String, UInt16)])
  func `ends the session before AUTH0`(name: String, apdu: String, statusWord: UInt16) throws {
    let session = try Transaction.direct.started()
    expectFailure(session.command(hexOctets(apdu)), statusWord, .protocolError)
    #expect(session.command(vector.auth0Command.hex).state == .failed)
  }

  @Test(
    arguments: [
      ("another application selected", "00a4040005d276000085 00", 0x6A82),
      ("nothing selected", "00a40400", 0x6A82),
      ("SELECT with wrong parameters", "00a4000c023f00", 0x6A86),
      ("GET DATA of the proprietary object", "00ca7f6800", 0x6A88),
    ] as [(String, String, UInt16)])
  func `answers an error and goes on`(name: String, apdu: String, statusWord: UInt16) throws {
    let session = try Transaction.direct.started()
    let step = session.command(hexOctets(apdu))
    #expect(step.statusWord == statusWord)
    #expect(step.state == .awaitingAuth0)
    #expect(step.refusal == nil)
    #expect(session.command(vector.auth0Command.hex).statusWord == 0x9000)
    #expect(session.command(hexOctets(apdu)).state == .awaitingAuth1)
    #expect(session.command(vector.auth1Command.hex).statusWord == 0x9000)
    #expect(session.command(hexOctets(apdu)).state == .awaitingCompletion)
  }

  @Test(
    arguments: [
      ("41 is neither standard nor fast", 7, 0x02), ("42 is no policy", 10, 0x00),
      ("42 is no policy either", 10, 0x04),
    ] as [(String, Int, UInt8)])
  func `AUTH0 with a value that does not exist is 6701`(
    name: String, index: Int, value: UInt8
  ) throws {
    let session = try Transaction.direct.started()
    var command = vector.auth0Command.hex
    command[index] = value
    expectFailure(session.command(command), 0x6701, .protocolError)
  }

  @Test func `AUTH0 that demands user authentication is 6985`() throws {
    let session = try Transaction.direct.started()
    var command = vector.auth0Command.hex
    command[10] = 3
    expectFailure(session.command(command), 0x6985, .forbidden)
  }

  @Test func `AUTH0 that demands user authentication goes on where that was confirmed`() throws {
    let session = try Transaction.direct.session(userAuthentication: .confirmed)
    _ = session.start()
    var command = vector.auth0Command.hex
    command[10] = 3
    #expect(session.command(command).messages == [frame(0, 1, vector.auth0Response.hex)])
    // The policy is in the salt: the answer to AUTH1 is encrypted under other keys.
    let auth1 = session.command(vector.auth1Command.hex)
    #expect(auth1.state == .awaitingCompletion)
    #expect(auth1.messages != [frame(0, 1, vector.auth1Response.hex)])
  }

  @Test(arguments: [Transaction.nfc, .fast], [false, true])
  func `a confirmation serves the first transaction that demands it, and no other`(
    transaction: Transaction, isLate: Bool
  ) throws {
    let session = try transaction.session(transport: .nfc, userAuthentication: .confirmed)
    let plain = transaction.vector.auth0Command.hex
    var demanding = plain
    demanding[10] = 3
    func begin(_ auth0: [UInt8]) -> PresentationStep {
      _ = session.command(Transaction.nfc.vector.selectCommand.hex)
      return session.command(auth0)
    }
    _ = session.start()
    // What does not demand it leaves it.
    if isLate { #expect(begin(plain).statusWord == 0x9000) }
    #expect(begin(demanding).statusWord == 0x9000)
    #expect(begin(plain).statusWord == 0x9000)
    let refused = begin(demanding)
    #expect(refused.messages == [[0x69, 0x85]] && refused.state == .failed)
    #expect(refused.refusal?.code == .forbidden)
  }

  @Test(arguments: [
    ("410100 420100", PresentationState.failed, "The reader ended the session with failure."),
    (
      "410100 420127", .failed,
      "The reader ended the session with failure: protocol version not supported."
    ),
    (
      "410100 420133", .failed,
      "The reader ended the session with failure, for a reason that is not known."
    ),
    ("410101 420100", .finished, "The reader ended the session."),
    ("410101 420100 4307b5050403010203", .finished, "The reader ended the session."),
  ])
  func `CONTROL FLOW is told in words`(
    fields: String, state: PresentationState, words: String
  ) throws {
    let session = try Transaction.direct.started()
    let data = hexOctets(fields)
    let step = session.command([0x80, 0x3C, 0x00, 0x00, UInt8(data.count)] + data)
    #expect(step.statusWord == 0x9000 && step.state == state)
    #expect(step.events.first?.detail == words)
    #expect(step.events.first?.kind == (state == .failed ? .accessDenied : .status))
  }

  @Test func `AUTH0 with the device's own ephemeral key is 6701`() throws {
    let session = try Transaction.direct.started()
    var command = vector.auth0Command.hex
    let own = Vector.all.publicKeys.deviceEphemeral1.hex
    command.replaceSubrange(17..<82, with: own)
    expectFailure(session.command(command), 0x6701, .protocolError)
  }

  @Test(arguments: [
    ("a tag twice", "410100 410100 420101"), ("out of order", "420101 410100"),
    ("a required tag missing", "410100"), ("a value too long", "41020000"),
  ])
  func `AUTH0 with wrong elements is 6701`(name: String, elements: String) throws {
    let session = try Transaction.direct.started()
    let data = hexOctets(elements) + vector.auth0Command.hex.dropLast()[11...]
    let apdu = [0x80, 0x80, 0, 0, UInt8(data.count)] + data
    expectFailure(session.command(apdu), 0x6701, .protocolError)
  }

  @Test func `a missing ephemeral key is 6400`() throws {
    let session = try Transaction.direct.session(keys: NoEphemeralKey())
    _ = session.start()
    expectFailure(session.command(vector.auth0Command.hex), 0x6400, .busy)
  }

  @Test func `a certificate that does not decode is 6400 at LOAD CERT and in AUTH1`() throws {
    for malformed in Vector.all.certificatesMalformed.list.map(\.compressed.hex) {
      let loading = try Transaction.certified.session()
      _ = loading.start()
      _ = loading.command(Transaction.certified.vector.auth0Command.hex)
      let load = [0x80, 0xD1, 0, 0, UInt8(malformed.count)] + malformed
      expectFailure(loading.command(load), 0x6400, .protocolError)
      let session = try Transaction.direct.started()
      _ = session.command(vector.auth0Command.hex)
      let apdu = try auth1(with: malformed)
      for part in apdu.dropLast() { #expect(session.command(part).statusWord == 0x9000) }
      expectFailure(session.command(apdu.last ?? []), 0x6400, .protocolError)
      #expect(session.signer.transcripts.isEmpty)
    }
    let session = try Transaction.direct.started()
    _ = session.command(vector.auth0Command.hex)
    expectFailure(session.command(hexOctets("80d10000")), 0x6400, .protocolError)
  }

  @Test func `an expired certificate is taken, and AUTH1 is 6982`() throws {
    let transaction = Transaction.certified
    let session = try transaction.started()
    _ = session.command(transaction.vector.auth0Command.hex)
    let expired = Vector.all.certificates[4].compressed.hex
    let load = [0x80, 0xD1, 0, 0, UInt8(expired.count)] + expired
    #expect(session.command(load).statusWord == 0x9000)
    expectFailure(
      session.command(transaction.vector.auth1Command.hex), 0x6982, .readerUntrusted)
    #expect(session.signer.transcripts.isEmpty)
  }

  @Test func `a second certificate is 6D00, and one in AUTH1 after a loaded one 6701`() throws {
    let transaction = Transaction.certified
    let twice = try transaction.session()
    transaction.beforeAuth1(twice)
    expectFailure(twice.command(transaction.vector.loadCertCommand.hex), 0x6D00, .protocolError)
    let both = try transaction.session()
    transaction.beforeAuth1(both)
    let certificate = try CommandAPDU(transaction.vector.loadCertCommand.hex).data
    let fields = try CommandAPDU(transaction.vector.auth1Command.hex).data
    let data = fields + [0x90, 0x81, UInt8(certificate.count)] + certificate
    let apdu = [0x80, 0x81, 0, 0, UInt8(data.count)] + data
    expectFailure(both.command(apdu), 0x6701, .protocolError)
  }

  @Test func `a certified key does not let the group's own signature through`() throws {
    // The certificate is good, but the signature is by the key above it.
    let transaction = Transaction.certified
    let session = try transaction.session()
    transaction.beforeAuth1(session)
    let authority = try vectorKey("readerIssuerCA")
    let signature = try authority.signature(message: transaction.vector.readerTBS.hex.span)
    let apdu = hexOctets("80810000454101019e40") + signature.raw
    expectFailure(session.command(apdu), 0x6982, .readerUntrusted)
  }

  @Test(arguments: [
    ("2026-01-15T08:29:59Z", Refusal.Code.notYetValid), ("2027-01-15T00:00:01Z", .expired),
  ])
  func `a pass outside its dates is 6982 at AUTH1`(text: String, code: Refusal.Code) throws {
    let session = try Transaction.direct.session()
    Transaction.direct.beforeAuth1(session)
    let step = session.command(vector.auth1Command.hex, at: time(text))
    expectFailure(step, 0x6982, code)
    #expect(session.signer.transcripts.isEmpty)
  }

  @Test(arguments: [
    Refusal.Code.passMissing, .expired, .notYetValid, .revoked, .clockUncertain,
  ])
  func `without a usable pass the session runs as with an unknown group`(
    code: Refusal.Code
  ) throws {
    let refused = try Transaction.direct.session(refusal: Refusal(code, "For a test."))
    let unknown = try Transaction.direct.session(trust: [])
    for (session, expected) in [(refused, code), (unknown, .readerUntrusted)] {
      #expect(session.start().refusal == nil)
      let auth0 = session.command(vector.auth0Command.hex)
      #expect(auth0.messages == [frame(0, 1, vector.auth0Response.hex)])
      let load = session.command(Transaction.certified.vector.loadCertCommand.hex)
      #expect(load.messages == [frame(0, 1, [0x90, 0])])
      #expect(load.refusal == nil)
      expectFailure(session.command(vector.auth1Command.hex), 0x6982, expected)
      #expect(session.signer.transcripts.isEmpty)
    }
  }

  @Test func `a credential that cannot sign is 6400 with its own reason`() throws {
    let signer = try SpySigner(refusal: Refusal(.revoked, "For a test."))
    let session = try Transaction.direct.session(signer: signer)
    Transaction.direct.beforeAuth1(session)
    expectFailure(session.command(vector.auth1Command.hex), 0x6400, .revoked)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `CONTROL FLOW is answered with success and ends the session`(commands: Int) throws {
    let session = try Transaction.direct.started()
    if commands > 0 { _ = session.command(vector.auth0Command.hex) }
    if commands > 1 { _ = session.command(vector.auth1Command.hex) }
    if commands > 2 { _ = session.receive(vector.bleMessages[0].wire.hex) }
    let step = session.command(hexOctets("803c0000 06 410100 420127"))
    #expect(step.messages == [frame(0, 1, [0x90, 0])])
    #expect(step.state == .failed)
    #expect(step.events.map(\.kind) == [.accessDenied, .failed])
    #expect(step.refusal?.message.contains("version not supported") == true)
    #expect(session.command(vector.auth1Command.hex).messages.isEmpty)
  }

  @Test func `a malformed CONTROL FLOW is 6701`() throws {
    let session = try Transaction.direct.started()
    expectFailure(session.command(hexOctets("803c0000 03 410100")), 0x6701, .protocolError)
  }

  /// AUTH1 of the vectors with a certificate, in as many parts as it takes.
  private func auth1(with certificate: [UInt8]) throws -> [[UInt8]] {
    var writer = TLVWriter()
    writer.append(encoded: Array(vector.auth1Command.hex.dropLast()[5...]))
    try writer.append(0x90, certificate)
    let data = writer.bytes
    let parts = stride(from: 0, to: data.count, by: 200).map {
      Array(data.dropFirst($0).prefix(200))
    }
    return parts.enumerated().map { index, part in
      [index == parts.count - 1 ? 0x80 : 0x90, 0x81, 0, 0, UInt8(part.count)] + part
    }
  }
}
