/// Text that is safe and predictable on a terminal.
///
/// Labels and messages come from others: a control character in them could move the cursor or hide
/// what stands there, so each is shown as its number.
enum DisplayText {
  /// Replaces what a terminal would act upon.
  static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isActive) else { return text }
    var cleaned = ""
    for scalar in text.unicodeScalars {
      if isActive(scalar) {
        cleaned += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        cleaned.unicodeScalars.append(scalar)
      }
    }
    return cleaned
  }

  /// How many columns a text takes; right for what is not double width.
  static func width(_ text: String) -> Int { text.count }

  /// Cuts a text to a width, its end replaced by `…`.
  static func fit(_ text: String, _ width: Int) -> String {
    guard self.width(text) > width else { return text }
    guard width > 1 else { return String(text.prefix(max(width, 0))) }
    return String(text.prefix(width - 1)) + "…"
  }

  /// Fills a text with spaces to a width.
  static func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
    let missing = width - self.width(text)
    guard missing > 0 else { return text }
    let space = String(repeating: " ", count: missing)
    return right ? space + text : text + space
  }

  /// Breaks a text into lines at spaces; a word longer than the width stays whole.
  static func wrap(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if line.isEmpty {
        line = String(word)
      } else if self.width(line) + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Control characters, line and paragraph separators, and the marks that reverse the direction of
  /// text and so its meaning to a reader.
  private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format: true
    default: false
    }
  }
}
