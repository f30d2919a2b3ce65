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
    var octets = Array(text.utf8.prefix(256))
    if octets.last == UInt8(ascii: ".") { octets.removeLast() }
    if octets.first == UInt8(ascii: ".") { octets.removeFirst() }
    let labels = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard octets.count <= 253, labels.count > 1, labels.allSatisfy(Self.isLabel) else {
      throw .parameter(field, due: "a host name of at least two labels")
    }
    // All of it is ASCII now.
    description = String(decoding: octets, as: UTF8.self).lowercased()
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    let dash = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != dash && label.last != dash
      && label.allSatisfy { BiqliText.isLetterOrDigit($0) || $0 == dash }
  }
}
