import Testing

@testable import AliroEngine

/// Commands that come in parts (section 2), over BLE.
@Suite struct CommandChainTests {
  @Test func `commands may come in parts`() throws {
    let session = try Transaction.direct.started()
    let vector = Transaction.direct.vector
    let data = try CommandAPDU(vector.auth0Command.hex).data
    for octet in data.dropLast() {
      let step = session.command([0x90, 0x80, 0, 0, 1, octet])
      #expect(step.messages == [frame(0, 1, [0x90, 0])])
      #expect(step.state == .awaitingAuth0)
    }
    // A busy message between the parts is not a command.
    #expect(session.receive(frame(2, 0, [0, 0])).events.map(\.kind) == [.busy])
    let step = session.command([0x80, 0x80, 0, 0, 1] + data.suffix(1))
    #expect(step.messages == [frame(0, 1, vector.auth0Response.hex)])
  }

  @Test func `a chain cut short does not count as the command`() throws {
    let transaction = Transaction.certified
    for next in [transaction.vector.auth1Command.hex, hexOctets("00ca7f6800")] {
      let session = try transaction.started()
      _ = session.command(transaction.vector.auth0Command.hex)
      var load = transaction.vector.loadCertCommand.hex
      load[0] |= 0x10
      #expect(session.command(load).statusWord == 0x9000)
      expectFailure(session.command(next), 0x6D00, .protocolError)
      #expect(session.signer.transcripts.isEmpty)
    }
  }

  @Test func `a chain that grows without end is 6701`() throws {
    let session = try Transaction.direct.started()
    let part = [0x90, 0x80, 0, 0, 0xFF] + [UInt8](repeating: 0x41, count: 0xFF)
    for _ in 0..<4 { #expect(session.command(part).statusWord == 0x9000) }
    expectFailure(session.command(part), 0x6701, .protocolError)
  }
}
