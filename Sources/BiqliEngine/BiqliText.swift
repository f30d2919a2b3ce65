/// Checks of whole texts.
enum BiqliText {
  /// Whether a text is a prefix and then exactly so many characters, each of which is allowed.
  static func isWhole(
    _ text: String, prefix: String, count: Int, _ isAllowed: (UInt8) -> Bool
  ) -> Bool {
    isWhole(text.utf8.span, prefix: prefix, count: count, isAllowed)
  }

  /// The same of a text that is not to be copied.
  static func isWhole(
    _ text: Span<UInt8>, prefix: String, count: Int, _ isAllowed: (UInt8) -> Bool
  ) -> Bool {
    let prefix = Array(prefix.utf8)
    guard text.count == prefix.count + count else { return false }
    for index in text.indices {
      let fits = index < prefix.count ? text[index] == prefix[index] : isAllowed(text[index])
      guard fits else { return false }
    }
    return true
  }

  static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }

  static func isUpper(_ character: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
  }

  static func isLetterOrDigit(_ character: UInt8) -> Bool {
    isDigit(character) || isUpper(character) || isUpper(character & ~0x20) && character >= 0x60
  }

  /// A letter, a digit, `_` or `-`: the alphabet of keys and tokens.
  static func isTokenCharacter(_ character: UInt8) -> Bool {
    isLetterOrDigit(character) || character == UInt8(ascii: "_") || character == UInt8(ascii: "-")
  }

  static func isHexDigit(_ character: UInt8) -> Bool {
    isDigit(character) || (0x61...0x66).contains(character | 0x20) && isLetterOrDigit(character)
  }
}
