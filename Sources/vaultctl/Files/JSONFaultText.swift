import WireCoding

/// What is wrong with a JSON text, in words for the person who wrote it.
enum JSONFaultText {
  static func words(_ fault: JSONFault) -> String {
    switch fault {
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte: "an unexpected character"
    case .controlCharacter: "a control character in a string"
    case .invalidEscape: "an unknown escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .nulCharacter: "the character U+0000"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .leadingZero: "a number with a leading zero"
    case .notAnInteger: "a number with a fraction or exponent"
    case .integerOutOfRange: "an integer outside ±2^53"
    case .tooDeep: "too many levels"
    case .duplicateName: "a name given twice"
    case .trailingBytes: "something after the end"
    case .wrongType: "a value of another type"
    }
  }
}
