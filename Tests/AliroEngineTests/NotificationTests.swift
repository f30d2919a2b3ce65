import SecureMemory
import Testing

@testable import AliroEngine

/// What happens after AUTH1, over the encrypted channel.
@Suite struct NotificationTests {
  private func session(
    intent: PresentationIntent = .unsecure
  ) throws -> Session {
    let session = try Transaction.direct.session(transport: ble(intent))
    Transaction.direct.afterAuth1(session)
    return session
  }

  @Test(arguments: [
    (PresentationIntent.unsecure, "0001", PresentationEvent.Kind.accessGranted, "unsecured"),
    (.unsecure, "0000", .accessDenied, "secured"), (.unsecure, "0002", .status, "jammed"),
    (.unsecure, "0101", .accessGranted, "unsecured"),
    (.secure, "0000", .accessGranted, "secured"), (.secure, "0001", .accessDenied, "unsecured"),
  ])
  func `a settled state is the result`(
    intent: PresentationIntent, value: String, kind: PresentationEvent.Kind, detail: String
  ) throws {
    let session = try session(intent: intent)
    var reader = try Transaction.direct.channel()
    let completed = session.receive(try reader.seal(3, [0, 2, 0x20, 0]))
    let request = try reader.open(try #require(completed.messages.first))
    #expect(request == [0, 1, intent == .secure ? 0 : 1])
    let step = session.receive(try reader.seal(2, [0, 2] + hexOctets(value)))
    #expect(step.events == [PresentationEvent(kind, detail)])
    #expect(step.state == .finished)
    #expect(step.refusal == nil)
  }

  @Test(arguments: [
    ("00020080", "securing"), ("00020081", "unsecuring"), ("00020082", "unknown"),
    ("0002007f", "unknown"), ("000100", "unknown"), ("0003000100", "unknown"), ("", "unknown"),
    ("07020001", "unknown"),
  ])
  func `a state that settles nothing is passed on`(payload: String, detail: String) throws {
    let session = try session()
    var reader = try Transaction.direct.channel()
    _ = session.receive(try reader.seal(3, [0, 2, 0x20, 0]))
    let step = session.receive(try reader.seal(2, hexOctets(payload)))
    #expect(step.events == [PresentationEvent(.status, detail)])
    #expect(step.state == .awaitingStatus)
    #expect(session.receive(try reader.seal(2, [0, 2, 0, 1])).state == .finished)
  }

  @Test func `unknown attributes are skipped`() throws {
    let session = try session()
    var reader = try Transaction.direct.channel()
    let completed = session.receive(try reader.seal(3, hexOctets("090100 00022001")))
    #expect(completed.events == [PresentationEvent(.accessProtocolCompleted, "unsecured")])
    let step = session.receive(try reader.seal(2, hexOctets("00020001 0a00")))
    #expect(step.state == .finished)
  }

  @Test(arguments: ["00", "0003", "000200", "00020001 00", "00020001 00020001"])
  func `malformed attributes end the session`(payload: String) throws {
    let session = try session()
    var reader = try Transaction.direct.channel()
    _ = session.receive(try reader.seal(3, [0, 2, 0x20, 0]))
    expectFailure(
      session.receive(try reader.seal(2, hexOctets(payload))), nil, .protocolError)
  }

  @Test func `busy keeps the session, a general error ends it in plain words`() throws {
    let session = try session()
    var reader = try Transaction.direct.channel()
    let busy = session.receive(try reader.seal(0, [0, 0]))
    #expect(busy.events == [PresentationEvent(.busy)])
    #expect(busy.state == .awaitingCompletion)
    let error = session.receive(try reader.seal(0, [1, 1, 1]))
    expectFailure(error, nil, .protocolError)
    #expect(error.events.first == PresentationEvent(.error, "The reader has no resources."))
  }

  @Test func `a replayed notification does not verify`() throws {
    let session = try session()
    var reader = try Transaction.direct.channel()
    let busy = try reader.seal(0, [0, 0])
    #expect(session.receive(busy).state == .awaitingCompletion)
    expectFailure(session.receive(busy), nil, .protocolError)
  }

  @Test func `a notification with a changed header does not verify`() throws {
    for index in 0..<4 {
      let session = try session()
      var reader = try Transaction.direct.channel()
      var message = try reader.seal(2, [0, 2, 0, 1])
      message[index] ^= 1
      #expect(session.receive(message).state == .failed)
    }
  }

  @Test func `the counter ends the session before it reaches FFFF`() throws {
    let key = [UInt8](repeating: 7, count: 32)
    var channel = try SecureChannel(
      key: .init(copying: key.span), .fromDevice, counter: 0xFFFE)
    _ = try channel.seal([1])
    let last = try? channel.seal([1])
    #expect(last == nil)
  }

  @Test func `a message longer than 4096 octets ends the session unseen`() throws {
    for count in [4093, 65_535] {
      let session = try session()
      let step = session.receive(frame(0, 0, [UInt8](repeating: 0x80, count: count)))
      expectFailure(step, nil, .protocolError)
    }
    // The longest that is looked at is judged as a command.
    let step = try session().receive(frame(0, 0, [UInt8](repeating: 0x80, count: 4092)))
    expectFailure(step, 0x6701, .protocolError)
  }

  @Test func `a session is refused for versions that do not fit`() throws {
    for versions in [[], [1], [1, 0, 0], [0, 9], [UInt8](repeating: 1, count: 34)] as [[UInt8]] {
      #expect(throws: AliroError.self) {
        _ = try Transaction.direct.session(
          transport: .ble(readerVersions: versions, version: [1, 0], intent: .secure))
      }
    }
  }
}
