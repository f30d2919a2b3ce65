/// An element of an access document: its name, and what it says if that is access data.
struct AccessElement: Hashable, Sendable {
  let name: String
  /// `nil` when the value is something else, which is kept all the same.
  let data: AccessData?

  /// The elements of a document, in their order.
  static func all(in document: SignedDocument) -> [AccessElement] {
    document.nameSpaces.flatMap(\.items).map { item in
      AccessElement(
        name: item.element, data: document.value(of: item).flatMap { AccessData($0) })
    }
  }

  /// The element in plain words.
  var summary: AccessSummary {
    guard let data else {
      return AccessSummary(
        element: name, identifier: nil, rules: ["not access data that this vault understands"],
        schedules: [], readerRuleIdentifiers: [])
    }
    var rules = data.rules.map { $0.words(scheduleCount: data.schedules.count) }
    if data.hasAccessExtensions {
      rules.append("what an extension of a vendor says, which this vault does not read")
    }
    return AccessSummary(
      element: name, identifier: data.identifier, rules: rules,
      schedules: data.schedules.map(\.words), readerRuleIdentifiers: data.readerRuleIdentifiers)
  }
}
