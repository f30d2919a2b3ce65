/// What is wrong with one parameter.
public enum ParameterFault: Hashable, Sendable {
  /// A required parameter is absent.
  case missing
  /// The method has no parameter of this name.
  case unknown
  /// The name came before in the same object.
  case repeated
  /// An integer is outside ±2^53.
  case integerTooLarge
  /// The value's type, size or form is not this one.
  case mustBe(String)
  /// None or more than one of these was given.
  case notExactlyOne([String])
  /// It is absent, and another parameter has the value that asks for it.
  case neededWith(String, String)
  /// It was given, and another parameter has a value that leaves no room for it.
  case notTakenWith(String, String)

  /// The fault in words that follow the parameter's name.
  public var words: String {
    switch self {
    case .missing: "is required"
    case .unknown: "is not a parameter here"
    case .repeated: "is given twice"
    case .integerTooLarge: "must be an integer within ±2^53"
    case .mustBe(let rule): "must be \(rule)"
    case .notExactlyOne(let names): "needs exactly one of \(names.joined(separator: ", "))"
    case .neededWith(let name, let value): "is required when \(name) is \(value)"
    case .notTakenWith(let name, let value): "is not taken when \(name) is \(value)"
    }
  }
}
