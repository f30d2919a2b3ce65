import WireCoding

/// The value of an access document's element (section 13): rules and schedules.
struct AccessData: Hashable, Sendable {
  /// The most octets of an identifier.
  static let identifierLimit = 16
  /// The most schedules.
  static let scheduleLimit = 8

  let version: UInt64
  /// The issuer's name for the data.
  let identifier: [UInt8]?
  let rules: [AccessRule]
  let schedules: [AccessSchedule]
  /// Rules that the reader itself holds.
  let readerRuleIdentifiers: [UInt16]
  /// Whether a vendor's extension (6) may allow something besides.
  let hasAccessExtensions: Bool

  /// Reads a value; `nil` when it is not access data.
  init?(_ item: CBORItem) {
    guard let version = item[0]?.unsigned else { return nil }
    self.version = version
    identifier = item[1]?.bytes
    guard (identifier ?? []).count <= Self.identifierLimit, (item[1] == nil) == (identifier == nil),
      let rules = Self.list(item[2], { AccessRule($0) }),
      let schedules = Self.list(item[3], { AccessSchedule($0) }),
      schedules.count <= Self.scheduleLimit,
      let readerRules = Self.list(item[4], { $0.unsigned.flatMap { UInt16(exactly: $0) } })
    else { return nil }
    self.rules = rules
    self.schedules = schedules
    readerRuleIdentifiers = readerRules
    hasAccessExtensions = item[6] != nil
  }

  /// Reads a list that may be missing; `nil` when it or an item of it is something else.
  private static func list<Element>(
    _ item: CBORItem?, _ read: (CBORItem) -> Element?
  ) -> [Element]? {
    guard let item else { return [] }
    guard let items = item.array else { return nil }
    let elements = items.compactMap(read)
    return elements.count == items.count ? elements : nil
  }

  /// Whether a door could open by this data at some time between two, as far as the vault can tell.
  ///
  /// What the vault cannot judge (rules of the reader's own, extensions) counts as possible.
  func couldOpen(from start: Timestamp, until end: Timestamp) -> Bool {
    if hasAccessExtensions || !readerRuleIdentifiers.isEmpty { return true }
    return rules.contains { rule in
      guard rule.opensDoors else { return false }
      // Without a schedule the reader alone decides when.
      guard rule.allowed != 0 else { return true }
      return schedules.indices.contains { index in
        rule.isAllowed(inSchedule: index) && schedules[index].mayHold(from: start, until: end)
      }
    }
  }
}
