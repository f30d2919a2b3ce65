import AliroEngine
import VaultCrypto
import WireCoding

extension FuzzTarget {
  /// Whole sessions over both transports, with a reader that has the session's keys, so that what
  /// lies behind the secure channels is reached.
  ///
  /// Records: the first one's octet is the setting; the kinds of the others are those of
  /// ``ReaderAction``.
  static let aliroPresentation = FuzzTarget("aliro-presentation", isList: true) { input in
    let records = Records(input).list
    var reader = FuzzReader(FuzzSetting(records.first?.octets.first ?? 0))
    for record in records.dropFirst() {
      reader.act(record)
    }
    if !reader.isOver { reader.close() }
    require(reader.receive([0, 0, 0, 0]).messages.isEmpty, "what is closed is silent")
  }
}

/// What a record makes the reader do, by the low four bits of its kind; bit 4 leaves the rest of a
/// long answer where it is.
private enum ReaderAction: UInt8 {
  /// A message as it is.
  case message
  /// A command as it is.
  case command
  /// AUTH0: choices 1 (bit 2 the group that certifies readers, bit 3 a group nobody knows; the rest
  /// as for ``FuzzReader/beginTransaction(in:choices:extra:)``), further elements.
  case begin
  /// LOAD CERT: the number of a vector's certificate, or a whole one.
  case certificate
  /// AUTH1: choices 1 (bit 2 a key that nobody vouches for; the rest as for
  /// ``FuzzReader/authenticate(with:choices:extra:)``), further elements.
  case authenticate
  /// EXCHANGE with a plaintext.
  case exchange
  /// ENVELOPE with a DeviceRequest.
  case envelope
  /// A message that is no command: protocol, id and payload.
  case notify
  /// GET RESPONSE: how many octets.
  case fetch
  /// A request of the caller: which, and the payload of a ranging message.
  case ask
  /// Time passes: tenths of a second, days.
  case wait
  /// SELECT: the expedited application or, for 1, step-up.
  case select
  /// Another state of what the credential keeps.
  case remember
  /// The caller closes.
  case close
  /// EXCHANGE with an octet of the ciphertext changed.
  case damage
  /// EXCHANGE that reads and writes the mailbox at an offset.
  case mailbox
}

extension FuzzReader {
  fileprivate mutating func act(_ record: Records.Record) {
    let octets = record.octets
    let first = octets.first ?? 0
    let rest = Array(octets.dropFirst())
    switch ReaderAction(rawValue: record.kind & 15) {
    case .message: pass(octets)
    case .command: command(octets)
    case .begin: beginTransaction(in: group(first), choices: first, extra: rest)
    case .certificate: load(octets)
    case .authenticate: prove(first, rest)
    case .exchange: exchange(octets)
    case .envelope: envelope(octets)
    case .notify where octets.count >= 2: notify(first, octets[1], Array(octets[2...]))
    case .fetch: command([0x00, 0xC0, 0, 0, first])
    case .ask: ask(request(first, rest))
    case .wait: wait(first, days: rest.first ?? 0)
    case .select: select(stepUp: first == 1)
    case .remember: remember(first)
    case .close: close()
    case .damage: exchange(rest, damage: first)
    case .mailbox: useMailbox(first, rest)
    case .notify, nil: break
    }
    if record.kind & 16 == 0 && record.kind & 15 != ReaderAction.fetch.rawValue { fetch() }
  }

  /// A message as it is, which may be a command.
  private mutating func pass(_ octets: [UInt8]) {
    let step = receive(octets)
    if setting.isNFC { return follow(octets, step) }
    if octets.starts(with: [0, 0]) { return follow(Array(octets.dropFirst(4)), step) }
    followNotification(step)
  }

  private func group(_ choices: UInt8) -> AliroWorld.Group {
    if choices & 8 != 0 {
      return AliroWorld.Group(
        identifier: [UInt8](repeating: 9, count: 16), key: AliroWorld.direct.key)
    }
    return choices & 4 == 0 ? AliroWorld.direct : AliroWorld.certified
  }

  private mutating func load(_ octets: [UInt8]) {
    let isNumber = octets.count <= 1
    let number = Int(octets.first ?? 0) % Self.certificates.count
    send(0x80, 0xD1, isNumber ? Self.certificates[number] : octets)
  }

  private static let certificates = (0..<5).map {
    Vectors.aliro.octets("certificates.\($0).compressed")
  }

  private mutating func prove(_ choices: UInt8, _ extra: [UInt8]) {
    let group = transaction?.group
    let isCertified = certificate != nil || choices & 2 != 0
    let own = isCertified ? AliroWorld.readerKey : group?.key ?? AliroWorld.direct.key
    let key = choices & 4 != 0 ? Self.stranger : own
    let isDue = state == .awaitingAuth1 && group != nil && chained.isEmpty
    let isCertificateGood = certificate != nil && group?.certifiesReaders == true
    let isGood = choices & ~1 == 0 && extra.isEmpty && (!hasLoaded || isCertificateGood)
    let isExpected = isDue && isGood && isUsable && !memory.isFailing
    let word = authenticate(with: key, choices: choices, extra: extra)
    require(!isExpected || word == 0x9000, "a reader of the group is answered")
  }

  private static let stranger = Vectors.aliro.key("wrongReader")

  private func request(_ number: UInt8, _ payload: [UInt8]) -> ReaderRequest {
    let kinds = RangingMessage.Kind.allCases
    return switch number {
    case 0: .unsecure
    case 1: .secure
    case 2: .initiateRanging
    case 3: .resumeRanging
    default: .ranging(RangingMessage(kinds[Int(number) % kinds.count], payload: payload))
    }
  }

  private mutating func wait(_ tenths: UInt8, days: UInt8) {
    let seconds = moment.time.seconds + Int64(days) * 86_400
    moment = Moment(
      time: Timestamp(clamping: seconds), uptime: moment.uptime + Int64(tenths) * 100)
  }

  private mutating func remember(_ choices: UInt8) {
    memory.isFailing = choices & 1 != 0
    if choices & 2 != 0 { memory.keys = [:] }
    if choices & 4 != 0 { memory.contents = nil }
    if choices & 8 != 0 { memory.contents?.append(0) }
  }

  /// `8C`, then a read, a write and a set.
  private mutating func useMailbox(_ choices: UInt8, _ octets: [UInt8]) {
    let offset: [UInt8] = [(octets.first ?? 0) & 0x1F, octets.dropFirst().first ?? 0]
    let written = Array(octets.dropFirst(2).prefix(100))
    let count = UInt8(written.count)
    var commands: [UInt8] = [0x8C, 0x01, choices & 1]
    if choices & 2 == 0 { commands += [0x87, 0x04] + offset + [0, count] }
    if choices & 4 == 0 { commands += [0x8A, count + 2] + offset + written }
    if choices & 8 == 0 { commands += [0x95, 0x05] + offset + [0, count, choices] }
    let long: [UInt8] = commands.count > 127 ? [0x81] : []
    exchange([0xBA] + long + [UInt8(commands.count)] + commands)
  }
}
