import Testing

@testable import AliroEngine

/// Up to AUTH1's verdict a reader without keys is answered the same, octet for octet, however it
/// stands with the vault (section 4).
@Suite struct DecoyTests {
  private static let places: [Place] = [
    .awaitingAuth1, .certificateLoaded, .fast, .fastCertificateLoaded,
  ]

  @Test(arguments: Radio.allCases, places)
  func `no message of the walk tells how the reader stands`(radio: Radio, place: Place) throws {
    let messages = radio == .ble ? Sent.allCases : Sent.commands
    // AUTH1 of the walk is a good one: its verdict is what a reader may be told.
    let telling = try messages.filter { sent in
      try sent != .auth1 && tells(in: place, over: radio) { try $0.send(sent) }
    }
    #expect(telling.isEmpty)
  }

  @Test(arguments: Radio.allCases, [Place.awaitingAuth1, .fast])
  func `no junk tells how the reader stands`(radio: Radio, place: Place) throws {
    let telling = try Self.junk.filter { apdu in
      try tells(in: place, over: radio) { $0.session.command(apdu) }
    }
    #expect(telling.isEmpty)
    let notifications = radio == .ble ? Self.notifications : []
    let heard = try notifications.filter { message in
      try tells(in: place, over: radio) { $0.session.receive(message) }
    }
    #expect(heard.isEmpty)
  }

  @Test(arguments: Radio.allCases, [Place.awaitingAuth1, .fast])
  func `no AUTH0 tells how the reader stands`(radio: Radio, place: Place) throws {
    let transaction = place.isFast ? Transaction.fast : .direct
    let answers = try Standing.allCases.map { standing in
      let session = try transaction.session(
        standing, transport: radio == .nfc ? .nfc : ble())
      _ = session.start()
      if radio == .nfc { _ = session.command(hexOctets("00a4040009a000000909acce550100")) }
      let step = session.command(transaction.vector.auth0Command.hex)
      // The cryptogram is as good as random.
      let isMasked = place.isFast && step.statusWord == 0x9000
      return step.messages.map { isMasked ? $0.dropLast(66) + [0] + $0.suffix(2) : $0 }
    }
    #expect(Set(answers).count == 1)
    #expect(answers[0].count == 1)
  }

  /// Commands of every instruction, whole and in parts, with data that means nothing.
  private static let junk = [0x80, 0x81, 0xD1, 0xC9, 0x3C, 0xA4, 0xC3, 0xC0, 0xCA, 0x00].flatMap {
    (instruction: UInt8) -> [[UInt8]] in
    [0, 1, 16, 40].flatMap { (count: UInt8) -> [[UInt8]] in
      let data = count == 0 ? [] : [count] + [UInt8](repeating: 0x5A, count: Int(count))
      return [0x00, 0x10, 0x80, 0x90].map { [$0, instruction, 0, 0] + data }
    }
  }

  /// Notifications in clear, of which the longest could be sealed.
  private static let notifications = (0...4).flatMap { (number: UInt8) in
    (0...6).flatMap { (id: UInt8) in
      [[], [0, 0], [UInt8](repeating: 0, count: 18)].map { frame(number, id, $0) }
    }
  }

  /// Whether something done in a session with each standing, or what tells life from death after it,
  /// is answered differently.
  private func tells(
    in place: Place, over radio: Radio, _ act: (StateWalk) throws -> PresentationStep
  ) throws -> Bool {
    let unproven = hexOctets("80810000454101019e40") + [UInt8](repeating: 1, count: 64)
    let answers = try Standing.allCases.map { standing in
      let walk = try StateWalk(to: place, over: radio, standing: standing, withKeys: false)
      let step = try act(walk)
      // Over the air nothing shows but the messages and the end of the connection.
      let isOver = [.finished, .failed].contains(step.state)
      return [
        step.messages, isOver ? [[1]] : [],
        walk.session.command(hexOctets("00ca7f6800")).messages,
        walk.session.command(unproven).messages,
      ]
    }
    return Set(answers).count > 1
  }
}
