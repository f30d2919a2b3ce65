/// What one element of an access document allows, in plain words.
public struct AccessSummary: Hashable, Sendable {
  /// What the issuer calls the element.
  public let element: String
  /// The issuer's identifier of the access data, at most 16 octets; `nil` when it has none.
  public let identifier: [UInt8]?
  /// What is allowed, such as `unsecure and toggle, in schedule 1`; schedules count from 1.
  public let rules: [String]
  /// When, such as `weekdays 08:00–18:00 local time, from 2026-01-01 08:00`.
  public let schedules: [String]
  /// Rules that the readers know by number.
  public let readerRuleIdentifiers: [UInt16]
}
