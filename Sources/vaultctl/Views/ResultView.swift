import VaultAPI
import WireCoding

/// Members of a result as words; what a server of another version leaves out is a dash.
struct ResultView {
  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  /// The member at a path such as `audit`, `seq`.
  subscript(_ path: String...) -> String {
    var found: JSONValue? = value
    for name in path { found = found?[name] }
    return found.map(Self.words) ?? "-"
  }

  /// A value as words.
  static func words(_ value: JSONValue) -> String {
    switch value {
    case .null: "-"
    case .boolean(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .string(let text): text
    case .array(let elements): elements.map(words).joined(separator: " ")
    case .object: String(decoding: JSONText.compact(value), as: UTF8.self)
    }
  }
}
