import Testing

@testable import AliroEngine

/// The time that AUTH0 may take (section 12, timers; section 15.11).
@Suite struct Auth0TimerTests {
  private let vector = Transaction.direct.vector

  @Test func `tells how long AUTH0 may take, and less of it later`() throws {
    let session = try Transaction.direct.session()
    #expect(session.start().timeout == 2500)
    session.uptime += 1000
    #expect(session.command(hexOctets("00ca7f6800")).timeout == 1500)
    session.uptime += 1500
    let step = session.command(vector.auth0Command.hex)
    #expect(step.state == .awaitingAuth1 && step.timeout == nil)
    session.uptime += 1_000_000
    #expect(session.command(vector.auth1Command.hex).state == .awaitingCompletion)
  }

  @Test func `what comes too late ends the session in silence`() throws {
    for message in [
      frame(0, 0, vector.auth0Command.hex), frame(2, 0, [0, 0]), [], frame(0, 0, [0x80]),
    ] {
      let session = try Transaction.direct.started()
      session.uptime += 2501
      expectFailure(session.receive(message), nil, .protocolError)
    }
  }

  @Test func `busy starts the timer again`() throws {
    let session = try Transaction.direct.started()
    for _ in 0..<3 {
      session.uptime += 2000
      let step = session.receive(frame(2, 0, [0, 0]))
      #expect(step.timeout == 2500 && step.state == .awaitingAuth0)
    }
    session.uptime += 2500
    #expect(session.command(vector.auth0Command.hex).state == .awaitingAuth1)
  }

  @Test func `what cannot be asked changes nothing about the time`() throws {
    let session = try Transaction.direct.started()
    session.uptime += 2000
    let step = session.request(.unsecure)
    #expect(step.refusal != nil && step.messages.isEmpty && step.timeout == 500)
    #expect(session.start().timeout == 500)
  }

  @Test func `neither an event that says nothing nor half a command starts it again`() throws {
    let session = try Transaction.direct.started()
    session.uptime += 2000
    #expect(session.receive(frame(2, 0, [7, 0])).timeout == 500)
    let data = try CommandAPDU(vector.auth0Command.hex).data
    #expect(session.command([0x90, 0x80, 0, 0, 1] + data.prefix(1)).timeout == 500)
    session.uptime += 501
    expectFailure(
      session.command([0x80, 0x80, 0, 0, 128] + data.dropFirst()), nil, .protocolError)
  }

  @Test(arguments: [Int64(0), -1, 60_001])
  func `a time that is none is refused`(timeout: Int64) throws {
    #expect(throws: AliroError.parameter("auth0_timeout")) {
      _ = try PresentationConfiguration(
        transport: ble(), credential: .refused(Refusal(.passMissing, "For a test.")),
        keys: NoEphemeralKey(), userAuthentication: .refused, auth0Timeout: timeout)
    }
  }
}
