/// How a line of a policy falls into words.
package enum PolicyLine {
  /// The words of a line, without its comment.
  ///
  /// Words are plain ASCII between spaces and tabs; a comment begins with a `#` where a word would.
  /// No character may hide or turn what a person sees of the text, not even in a comment.
  ///
  /// - Throws: ``PolicyFault`` for any other character, with what comes before it of its word.
  static func words(of text: Substring, line: Int) throws(PolicyFault) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isComment = false
    for scalar in text.unicodeScalars {
      guard scalar == "\t" || isShown(scalar) else {
        throw PolicyFault(line: line, word: String(word), reason: complaint(of: scalar))
      }
      if isComment { continue }
      if scalar == " " || scalar == "\t" {
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
      } else if scalar == "#", word.isEmpty {
        isComment = true
      } else if scalar.isASCII {
        word.append(scalar)
      } else {
        throw PolicyFault(
          line: line, word: String(word),
          reason: "\(name(of: scalar)): only a comment may hold other than ASCII")
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  /// Reads a number: decimal digits, no sign, no zero in front.
  static func number(_ word: String) -> UInt32? {
    guard word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      word == "0" || word.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return UInt32(word)
  }

  /// Reads the number of a user or group: as ``number(_:)`` does, but not that of all bits, which means
  /// "nobody" to the kernel.
  ///
  /// - Parameter word: the digits.
  /// - Returns: the number, `nil` when it is none.
  package static func account(_ word: String) -> UInt32? {
    number(word).flatMap { $0 == .max ? nil : $0 }
  }

  /// Whether a character shows as itself and leaves its neighbours alone.
  ///
  /// The list is fixed, rather than asked of the Unicode tables of the time, so that a stored policy
  /// can be read for ever.
  static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Controls.
    case 0x00...0x1F, 0x7F...0x9F: false
    // Invisible characters, marks of direction, separators of lines, and what is no character.
    case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF0...0xFFFF, 0xE0000...0x10FFFF:
      false
    default: true
    }
  }

  private static func complaint(of scalar: Unicode.Scalar) -> String {
    scalar == "\r"
      ? "a carriage return: a line ends with a line feed alone"
      : "\(name(of: scalar)): a character that does not show"
  }

  /// Such as `U+202E`.
  private static func name(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
