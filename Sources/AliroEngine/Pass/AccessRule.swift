/// A rule of access data (section 13): what may be done, and in which of the schedules.
struct AccessRule: Hashable, Sendable {
  /// The bits of capabilities, with their names.
  private static let names: [(bit: UInt64, name: String)] = [
    (0x01, "secure"), (0x02, "unsecure"), (0x04, "toggle"), (0x08, "momentary unsecure"),
    (0x10, "extended momentary unsecure"), (0x20, "payment"),
  ]

  let capabilities: UInt64
  /// The schedules it holds in, by bit; none when it names none.
  let allowed: UInt64
  /// The schedules it does not hold in, by bit.
  let denied: UInt64

  /// Reads `{ 0: capabilities, ? 1: allow schedule bits, ? 2: deny schedule bits }`.
  init?(_ item: CBORItem) {
    guard let capabilities = item[0]?.unsigned else { return nil }
    self.capabilities = capabilities
    guard let allowed = Self.bits(item[1]), let denied = Self.bits(item[2]) else { return nil }
    self.allowed = allowed
    self.denied = denied
  }

  private static func bits(_ item: CBORItem?) -> UInt64? {
    guard let item else { return 0 }
    return item.unsigned
  }

  /// Whether a door can open by one of the capabilities: any but securing it and paying.
  ///
  /// A bit without a name may be of that kind.
  var opensDoors: Bool { capabilities & ~0x21 != 0 }

  /// Whether the rule holds in the schedule with an index in the list.
  func isAllowed(inSchedule index: Int) -> Bool {
    allowed & ~denied & (1 << UInt64(clamping: index)) != 0
  }

  /// The rule in plain words.
  func words(scheduleCount: Int) -> String {
    var words = Self.names.filter { capabilities & $0.bit != 0 }.map(\.name)
    let unnamed = capabilities & ~0x3F
    if unnamed != 0 { words.append("something unknown (\(String(unnamed, radix: 16)))") }
    var rule = words.isEmpty ? "nothing" : words.joinedInWords
    rule += allowed == 0 ? ", without a schedule" : ", in \(Self.schedules(allowed, scheduleCount))"
    if denied != 0 { rule += ", except in \(Self.schedules(denied, scheduleCount))" }
    return rule
  }

  private static func schedules(_ bits: UInt64, _ count: Int) -> String {
    let numbers = (0..<count).filter { bits & (1 << UInt64($0)) != 0 }.map { "\($0 + 1)" }
    return switch numbers.count {
    case 0: "a schedule that is not there"
    case 1: "schedule \(numbers[0])"
    default: "schedules \(numbers.joinedInWords)"
    }
  }
}

extension [String] {
  /// `one, two and three`.
  var joinedInWords: String {
    guard let last else { return "" }
    return count == 1 ? last : dropLast().joined(separator: ", ") + " and " + last
  }
}
