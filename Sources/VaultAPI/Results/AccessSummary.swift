public import WireCoding

/// One element of an access document in words.
public struct AccessSummary: VaultResult, Hashable {
  /// Its name.
  public var element: String
  /// Its identifier.
  public var id: [UInt8]?
  /// What it allows, and when.
  public var rules: [String]
  /// The times that the rules name by number, from 1.
  public var schedules: [String]
  /// The rules of its own that a reader is to apply.
  public var readerRuleIds: [Int64]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - element: its name.
  ///   - id: its identifier.
  ///   - rules: what it allows, and when.
  ///   - schedules: the times that the rules name by number, from 1.
  ///   - readerRuleIds: the rules of its own that a reader is to apply.
  public init(
    element: String, id: [UInt8]? = nil, rules: [String], schedules: [String],
    readerRuleIds: [Int64]
  ) {
    self.element = element
    self.id = id
    self.rules = rules
    self.schedules = schedules
    self.readerRuleIds = readerRuleIds
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("element")
    writer.string(element)
    if let id {
      writer.name("id")
      writer.base64(id)
    }
    writer.name("rules")
    writer.strings(rules)
    writer.name("schedules")
    writer.strings(schedules)
    writer.name("reader_rule_ids")
    writer.beginArray()
    for number in readerRuleIds { writer.integer(number) }
    writer.endArray()
    writer.endObject()
  }
}
