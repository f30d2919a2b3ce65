import WireCoding

/// Hexadecimal parameters: exactly so many digits of either case, and nothing else.
enum NokeText {
  /// Reads digits that are not secret.
  ///
  /// - Parameters:
  ///   - text: the digits.
  ///   - count: how many octets they stand for.
  ///   - field: the parameter's name, for the error.
  /// - Returns: the octets.
  /// - Throws: ``NokeError/parameter(_:due:)``.
  static func octets(
    _ text: String, count: Int, field: String
  ) throws(NokeError) -> [UInt8] {
    // The length first, so that a long text is not copied to be refused.
    let octets =
      text.utf8.count == 2 * count ? try? Hex.decode(text, acceptingUpperCase: true) : nil
    guard let octets else { throw .parameter(field, due: "\(2 * count) hexadecimal digits") }
    return octets
  }
}
