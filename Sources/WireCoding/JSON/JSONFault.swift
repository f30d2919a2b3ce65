/// Why a JSON text is refused.
public enum JSONFault: Hashable, Sendable {
  /// The text ends within a value.
  case unexpectedEnd
  /// An octet that cannot stand here.
  case unexpectedByte
  /// An octet below 0x20 inside a string.
  case controlCharacter
  /// A backslash that starts no escape of JSON.
  case invalidEscape
  /// Half of a surrogate pair, escaped without its other half.
  case loneSurrogate
  /// The character U+0000, which no value of this protocol may hold.
  case nulCharacter
  /// Octets that are not UTF-8: stray or missing continuation, overlong form, surrogate, or a
  /// number above U+10FFFF.
  case invalidUTF8
  /// A number with a needless zero in front.
  case leadingZero
  /// A number with a fraction or an exponent; this protocol has integers only.
  case notAnInteger
  /// An integer outside ±2^53.
  case integerOutOfRange
  /// More than sixteen objects and arrays inside each other.
  case tooDeep
  /// A member name that came before in the same object.
  case duplicateName
  /// Something follows the value.
  case trailingBytes
  /// A value of another type than the one that is due.
  case wrongType(expected: JSONType, found: JSONType)

  /// Whether the text is no JSON of this protocol at all, as opposed to a value that is well formed
  /// and does not fit.
  public var isSyntax: Bool {
    switch self {
    case .notAnInteger, .integerOutOfRange, .duplicateName, .wrongType: false
    default: true
    }
  }
}

extension JSONFault {
  /// The fault in plain words.
  package var words: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte: "an unexpected character"
    case .controlCharacter: "a control character in a string"
    case .invalidEscape: "an unknown escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .nulCharacter: "the character U+0000"
    case .invalidUTF8: "octets that are not UTF-8"
    case .leadingZero: "a number with a leading zero"
    case .notAnInteger: "a number with a fraction or exponent"
    case .integerOutOfRange: "an integer outside ±2^53"
    case .tooDeep: "more than \(JSONReader.maximumDepth) levels"
    case .duplicateName: "a name given twice"
    case .trailingBytes: "something after the end"
    case .wrongType(let expected, let found): "\(found.name) where \(expected.name) is due"
    }
  }
}
