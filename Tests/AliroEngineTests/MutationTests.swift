import EngineTestSupport
import Testing

@testable import AliroEngine

/// Damaged input, with fixed seeds: it never traps, and never gets the credential to sign.
@Suite struct MutationTests {
  private let transaction = Transaction.certified

  /// Commands of the certified transaction in order, framed.
  private var script: [[UInt8]] {
    [
      transaction.vector.auth0Command, transaction.vector.loadCertCommand,
      transaction.vector.auth1Command,
    ].map { frame(0, 0, $0.hex) }
  }

  private func run(_ messages: [[UInt8]]) throws -> (Session, [PresentationStep]) {
    let session = try transaction.session()
    var steps = [session.start()]
    for message in messages { steps.append(session.receive(message)) }
    return (session, steps)
  }

  @Test func `the script signs when nothing is damaged`() throws {
    let (session, _) = try run(script)
    #expect(session.signer.transcripts.count == 1)
    #expect(session.state == .awaitingCompletion)
  }

  @Test(arguments: [0, 1, 2])
  func `no truncation leads to a signature`(index: Int) throws {
    let whole = script[index]
    for count in whole.indices {
      // Cut short as it stands, and cut short with a header that fits.
      for message in [
        Array(whole.prefix(count)), frame(0, 0, Array(whole.dropFirst(4).prefix(count))),
      ]
      where message != whole && message != Array(whole.dropLast()) {
        var messages = script
        messages[index] = message
        let (session, steps) = try run(messages)
        // Le may be left out; everything else that is cut is wrong.
        let isWhole = message.count == whole.count - 1 && message[3] == whole[3] &- 1
        #expect(session.signer.transcripts.isEmpty || isWhole, "\(count)")
        #expect(steps.allSatisfy { $0.messages.count <= 1 })
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func `no changed octet leads to a signature`(index: Int) throws {
    for position in script[index].indices {
      for bits in [UInt8(0x01), 0x10, 0x80, 0xFF] {
        var messages = script
        messages[index][position] ^= bits
        let (session, _) = try run(messages)
        // Three values change the session's keys but not what is signed: form, policy, and whether
        // the key or its slot is asked for.
        let isChoice = index == 0 && [11, 14].contains(position) || index == 2 && position == 11
        #expect(session.signer.transcripts.isEmpty || isChoice, "\(position) \(bits)")
      }
    }
  }

  @Test func `messages at random, damaged at random, never trap and sign at most once`() throws {
    var generator = FixedGenerator(state: 0xA11B0)
    let direct = Transaction.direct.vector
    let pool =
      script + direct.bleMessages.list.map(\.wire.hex)
      + [
        frame(2, 0, [0, 0]), frame(0, 0, hexOctets("00ca7f6800")),
        frame(0, 0, hexOctets("80d1000001ff")), frame(0, 0, direct.auth0Command.hex),
        frame(0, 0, direct.auth1Command.hex), frame(0, 0, hexOctets("803c000006410100420100")),
      ]
    for _ in 0..<1500 {
      let session = try transaction.started()
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        var message = pool.randomElement(using: &generator) ?? []
        damage(&message, &generator)
        let step = session.receive(message)
        #expect(step.messages.count <= 1)
        #expect(step.state == session.state)
      }
      #expect(session.signer.transcripts.count <= 1)
    }
  }

  @Test func `commands at random over NFC never trap and sign at most once a selection`() throws {
    var generator = FixedGenerator(state: 0x0FC)
    let nfc = Transaction.nfc
    let stepUp = Vector.all.stepUp.envelopeCommand.hex
    let pool =
      [nfc.vector.selectCommand, nfc.vector.auth0Command, nfc.vector.auth1Command]
      .map(\.hex) + [
        hexOctets("00a4040009a000000909acce550200"), stepUp, hexOctets("00c0000000"),
        hexOctets("00ca7f6800"), hexOctets("803c000006410100420100"),
        Transaction.fast.vector.auth0Command.hex,
      ]
    let settings = MailboxSettings(
      size: 600, isReadable: true, isWritable: true, isUsableInStepUp: true)
    for _ in 0..<1000 {
      let memory = Transaction.fast.keptKey
      memory.mailboxContents = [UInt8](repeating: 3, count: 600)
      let session = try nfc.session(mailbox: settings, memory: memory)
      var reader = try nfc.commandChannel(answered: 1)
      _ = session.start()
      var selections = 0
      for index in 0..<Int.random(in: 3...12, using: &generator) {
        // The right beginning now and then, or little would come after it.
        var message =
          index < 3 && Bool.random(using: &generator)
          ? pool[index] : pool.randomElement(using: &generator) ?? []
        if Int.random(in: 0...3, using: &generator) == 0 {
          message = try reader.exchange(hexOctets("ba098c010087040000 0180"))
        }
        damage(&message, &generator)
        let step = session.command(message)
        #expect(step.messages.count <= 1 && step.state == session.state)
        if step.state == .awaitingAuth0, step.statusWord == 0x9000 { selections += 1 }
      }
      #expect(session.signer.transcripts.count <= selections)
    }
  }

  @Test func `octets at random never trap`() throws {
    var generator = FixedGenerator(state: 0xF1DE)
    for _ in 0..<3000 {
      let session = try transaction.started()
      let count = Int.random(in: 0...64, using: &generator)
      let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let number = UInt8.random(in: 0...5, using: &generator)
      _ = session.receive(frame(number, UInt8.random(in: 0...7, using: &generator), payload))
      _ = session.receive(payload)
      #expect(session.signer.transcripts.isEmpty)
    }
  }

  private func damage(_ message: inout [UInt8], _ generator: inout FixedGenerator) {
    switch Int.random(in: 0...7, using: &generator) {
    case 0:
      message = Array(message.prefix(Int.random(in: 0...message.count, using: &generator)))
    case 1 where !message.isEmpty:
      let position = Int.random(in: 0..<message.count, using: &generator)
      message[position] = UInt8.random(in: 0...255, using: &generator)
    case 2:
      message.append(UInt8.random(in: 0...255, using: &generator))
    case 3 where message.count > 4:
      // Another payload length, with a header that fits.
      let payload = message[4...].dropLast(Int.random(in: 1..<message.count - 3, using: &generator))
      message = frame(message[0], message[1], Array(payload))
    default:
      break
    }
  }
}
