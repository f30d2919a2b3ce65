import Testing

@testable import AliroEngine

/// Step-up over BLE (section 11), with the answer in parts (section 2).
@Suite struct StepUpTests {
  private let transaction = Transaction.direct
  private let vector = Vector.all.stepUp

  private func authenticated(
    shown: CredentialDocuments? = nil, mailbox: MailboxSettings? = nil
  ) throws -> Session {
    let memory = FakeMemory(mailbox: mailbox.map { [UInt8](repeating: 7, count: $0.size) })
    let session = try transaction.session(shown: shown, mailbox: mailbox, memory: memory)
    transaction.afterAuth1(session)
    return session
  }

  @Test func `answers the envelope of the vectors, in parts`() throws {
    let session = try authenticated()
    let whole = vector.envelopeResponseUnchained.hex
    let first = session.command(vector.envelopeCommand.hex)
    #expect(first.state == .awaitingCompletion && first.events.isEmpty)
    #expect(first.statusWord == 0x6100 | UInt16(whole.count - 2 - 254))
    #expect(first.messages == [frame(0, 1, whole.prefix(254) + [0x61, first.messages[0][259]])])
    let second = session.command(hexOctets("00c0000000"))
    #expect(second.messages == [frame(0, 1, Array(whole.dropFirst(254)))])
    #expect(second.statusWord == 0x9000 && second.state == .awaitingCompletion)
    expectFailure(session.command(hexOctets("00c0000000")), 0x6D00, .protocolError)
    #expect(try authenticated().fetch(vector.envelopeCommand.hex) == whole)
  }

  @Test func `shows nothing where there is nothing, as the vectors do`() throws {
    let session = try authenticated(shown: CredentialDocuments())
    let answer = session.fetch(vector.envelopeCommand.hex)
    #expect(answer == vector.envelopeResponseNothingToShow.hex)
  }

  @Test func `another command drops what is left of an answer`() throws {
    for next in [hexOctets("00ca7f6800"), hexOctets("00a4040005d276000085")] {
      let session = try authenticated()
      _ = session.command(vector.envelopeCommand.hex)
      #expect(session.command(next).refusal == nil)
      expectFailure(session.command(hexOctets("00c0000000")), 0x6D00, .protocolError)
    }
    // A notification is no command.
    let session = try authenticated()
    _ = session.command(vector.envelopeCommand.hex)
    var reader = try transaction.channel()
    #expect(session.receive(try reader.seal(0, [0, 0])).events.map(\.kind) == [.busy])
    #expect(session.command(hexOctets("00c0000000")).statusWord == 0x9000)
  }

  @Test func `may come after the credential was accepted`() throws {
    let session = try authenticated()
    _ = session.receive(transaction.vector.bleMessages[0].wire.hex)
    #expect(session.state == .awaitingStatus)
    #expect(session.fetch(vector.envelopeCommand.hex) == vector.envelopeResponseUnchained.hex)
    #expect(session.state == .awaitingStatus)
  }

  @Test func `EXCHANGE goes over to the step-up channel, and the expedited one is gone`() throws {
    let session = try authenticated()
    var reader = try transaction.stepUpChannel()
    let response = try reader.open(session.fetch(try reader.envelope([0xA0])))
    #expect(response != nil)
    #expect(try reader.open(session.fetch(try reader.exchange([]))) == [0, 2, 0, 0])
    let again = try reader.open(session.fetch(try reader.envelope(vector.deviceRequest.hex)))
    #expect(again == vector.deviceResponse.hex)
    expectFailure(
      session.command(transaction.vector.exchangeCommand.hex), 0x6982, .protocolError)
  }

  @Test func `the mailbox is there in step-up only where the pass says so`() throws {
    for isUsable in [true, false] {
      let session = try authenticated(
        mailbox: MailboxSettings(
          size: 4, isReadable: true, isWritable: true, isUsableInStepUp: isUsable))
      var reader = try transaction.stepUpChannel()
      _ = try reader.open(session.fetch(try reader.envelope([0xA0])))
      let command = try reader.exchange(hexOctets("ba098c0100870400010002"))
      if isUsable {
        #expect(try reader.open(session.fetch(command)) == [0, 2, 7, 7, 0, 2, 0, 0])
      } else {
        expectFailure(session.command(command), 0x6701, .protocolError)
      }
    }
  }

  @Test(
    arguments: [
      ("no data", "00c30000", 0x6701), ("another tag", "00c300000354 01a0", 0x6701),
      ("no CBOR", "00c30000035301ff", 0x6701), ("no wrapper", "00c30000035301a0", 0x6701),
      ("data that does not verify", "00c300000a 5308 a1 6464617461 41 00", 0x6982),
      ("wrong parameters", "00c30100", 0x6A86), ("a wrong class", "80c30000", 0x6800),
    ] as [(String, String, UInt16)])
  func `a wrong ENVELOPE ends the session`(name: String, apdu: String, word: UInt16) throws {
    expectFailure(try authenticated().command(hexOctets(apdu)), word, .protocolError)
  }

  @Test func `a request that is none is answered with a status, encrypted`() throws {
    let session = try authenticated()
    var reader = try transaction.stepUpChannel()
    let answer = session.fetch(try reader.envelope([0xFF]))
    #expect(answer.suffix(2) == [0x90, 0x00])
    let response = try #require(try reader.open(answer))
    #expect(try CBORDecoder.decode(response)["3"] != nil)
    #expect(session.state == .awaitingCompletion)
  }

  @Test func `an answer tells how much is left of it, up to 255 octets`() {
    var chain = ResponseChain([UInt8](repeating: 1, count: 254 + 256), .success)
    #expect(chain.next().statusWord == 0x6100)
    #expect(chain.next(1).statusWord == 0x61FF)
    #expect(chain.next(.max).data.count == 254)
    #expect(!chain.isEmpty)
    #expect(chain.next(200) == ResponseAPDU([1], .success))
    #expect(chain.isEmpty)
  }
}
