import WireCoding

/// The address of a lock: six octets, which tell its records apart.
///
/// It is read as locks advertise it, twelve hexadecimal digits, or as it is shown, six pairs with
/// colons between them; digits of either case. It is written one way only: pairs of upper-case digits
/// with colons.
package struct NokeMAC: Hashable, Sendable, CustomStringConvertible {
  /// The six octets, in the order of the text.
  package let octets: [UInt8]

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: the address.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``NokeError/parameter(_:due:)``.
  package init(_ text: String, field: String = "mac") throws(NokeError) {
    var digits = Array(text.utf8.prefix(18))
    if digits.count == 17 {
      for place in [14, 11, 8, 5, 2] where digits[place] == UInt8(ascii: ":") {
        digits.remove(at: place)
      }
    }
    let decoded = try? Hex.decode(digits.span, acceptingUpperCase: true)
    guard let decoded, decoded.count == 6 else {
      throw .parameter(field, due: "12 hexadecimal digits, or six pairs of them with colons")
    }
    octets = decoded
  }

  /// `CB:BC:87:3B:CB:D7`.
  package var description: String {
    octets.map { Hex.encode([$0].span).uppercased() }.joined(separator: ":")
  }
}
