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

  /// The fault in words that follow the parameter's name.
  public var words: String {
    switch self {
    case .missing: "is required"
    case .unknown: "is not a parameter here"
    case .repeated: "is given twice"
    case .integerTooLarge: "must be an integer within ±2^53"
    case .mustBe(let rule): "must be \(rule)"
    case .notExactlyOne(let names): "needs exactly one of \(names.joined(separator: ", "))"
    }
  }
}
