import SecureMemory
import Testing
import WireCoding

@testable import AliroEngine

/// URSK is the ranging secret itself: nothing that leaves the engine may hold it.
///
/// That it is not even derived is shown with the keys of the vectors, in their suites.
@Suite struct RangingKeyTests {
  /// Everything that a step holds, octets found by reflection included.
  private func octets(of step: PresentationStep) -> [[UInt8]] {
    var found = step.messages + step.ranging.map(\.payload)
    found += step.events.compactMap(\.detail).map { Array($0.utf8) }
    for change in step.changes {
      switch change {
      case .persistentKey(let key):
        found.append(key.readerIdentifier)
        found.append(key.key.withBytes { Array(copying: $0) })
      case .mailbox(let writes):
        found += writes.map(\.octets)
      }
    }
    var text = ""
    dump(step, to: &text)
    return found + [Array(text.utf8)]
  }

  private func expect(
    no secret: [UInt8], in steps: [PresentationStep],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let digits = Hex.encode(secret.span)
    for piece in steps.flatMap({ octets(of: $0) }) {
      // Halves as well, and as text.
      for part in [Array(secret.prefix(16)), Array(secret.suffix(16)), Array(digits.utf8)] {
        let isFound = piece.indices.contains { piece[$0...].starts(with: part) }
        #expect(!isFound, sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: [Transaction.direct, .certified, .extended])
  func `no step of a standard transaction carries it`(transaction: Transaction) throws {
    let vector = transaction.vector
    let session = try transaction.session(transport: ble(.approach))
    var steps = [session.start(), session.command(vector.auth0Command.hex)]
    if !vector.loadCertCommand.isMissing {
      steps.append(session.command(vector.loadCertCommand.hex))
    }
    steps.append(session.command(vector.auth1Command.hex))
    // The vectors tell no BLE keys of these but the first; the commands do for all.
    var commands = try transaction.commandChannel(answered: 1)
    steps.append(session.command(try commands.exchange([0x98, 0x00])))
    if !vector.bleSKReader.isMissing {
      var reader = try transaction.channel()
      steps.append(session.receive(try reader.seal(3, [0, 2, 0x20, 0])))
      steps.append(session.request(.initiateRanging))
      for id in UInt8(1)...4 {
        steps.append(session.receive(try reader.seal(id, [id], protocolNumber: 1)))
      }
      steps.append(session.request(.ranging(RangingMessage(.m2, payload: [2]))))
      steps.append(session.request(.resumeRanging))
      steps.append(session.receive(try reader.seal(2, [0, 2, 0, 1])))
    }
    #expect(steps.allSatisfy { $0.refusal == nil })
    expect(no: vector.ursk.hex, in: steps + [session.close()])
  }

  @Test func `no step of a fast transaction carries it`() throws {
    let vector = Transaction.fast.vector
    let session = try Transaction.fast.session(memory: Transaction.fast.keptKey)
    let steps = [
      session.start(), session.command(vector.auth0Command.hex),
      session.command(vector.exchangeCommand.hex),
      session.receive(vector.bleMessages[0].wire.hex),
    ]
    #expect(steps.allSatisfy { $0.refusal == nil })
    expect(no: vector.ursk.hex, in: steps)
  }

  @Test func `no request has room for it but the caller's own octets`() {
    for kind in RangingMessage.Kind.allCases {
      let message = RangingMessage(kind, payload: [1, 2])
      #expect(message.payload == [1, 2])
      #expect(RangingMessage.Kind(id: kind.id) == kind)
    }
    #expect(RangingMessage.Kind(id: 0) == nil && RangingMessage.Kind(id: 9) == nil)
  }
}
