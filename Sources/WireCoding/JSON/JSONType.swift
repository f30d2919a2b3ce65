/// The type of a JSON value, seen from its first octet.
public enum JSONType: Hashable, Sendable {
  /// `{`
  case object
  /// `[`
  case array
  /// `"`
  case string
  /// `-` or a digit
  case number
  /// `t` or `f`
  case boolean
  /// `n`
  case null

  /// The type as words for a message.
  public var name: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
