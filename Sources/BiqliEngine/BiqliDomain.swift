/// The name of a host: at most 253 characters in at least two labels of 1–63 letters, digits and inner
/// dashes.
///
/// It is kept in lower case, without the one dot that may stand before and after it.
package struct BiqliDomain: Hashable, Sendable, CustomStringConvertible {
  /// The text, in lower case.
  package let description: String

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - text: the name, of letters of either case.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ text: String, field: String = "domain") throws(BiqliError) {
    let octets = Array(text.utf8)
    guard let name = Self.name(in: octets.span) else {
      throw .parameter(field, due: "a host name of at least two labels")
    }
    // All of it is ASCII.
    description = String(decoding: octets[name], as: UTF8.self).lowercased()
  }

  /// Where the name stands in a text: all of it but the outer dots; `nil` when it is none.
  static func name(in text: Span<UInt8>) -> Range<Int>? {
    let dot = UInt8(ascii: ".")
    var start = 0
    var end = text.count
    if end > start, text[end - 1] == dot { end -= 1 }
    if end > start, text[start] == dot { start += 1 }
    guard end - start <= 253 else { return nil }
    var labels = 0
    var first = start
    for index in start...end where index == end || text[index] == dot {
      guard isLabel(text.extracting(first..<index)) else { return nil }
      labels += 1
      first = index + 1
    }
    return labels > 1 ? start..<end : nil
  }

  private static func isLabel(_ label: Span<UInt8>) -> Bool {
    let dash = UInt8(ascii: "-")
    guard (1...63).contains(label.count), label[0] != dash, label[label.count - 1] != dash else {
      return false
    }
    for index in label.indices {
      guard BiqliText.isLetterOrDigit(label[index]) || label[index] == dash else { return false }
    }
    return true
  }
}
