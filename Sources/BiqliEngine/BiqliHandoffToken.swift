/// A bearer value that hands a click on the web over to the app: `bqmh_` and 43 characters.
///
/// The SDKs look at prefix and length alone. Here the 43 are letters, digits, `_` or `-`, which is how 32
/// octets are written in a URL; another character could only come from a URL that was taken apart
/// wrongly, and would go into a request as it is.
package struct BiqliHandoffToken: Equatable, Sendable {
  /// The text.
  package let secret: BiqliSecret

  /// Checks a token.
  ///
  /// - Parameters:
  ///   - text: the token, in memory that is the caller's to wipe.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)`` or ``BiqliError/memoryExhausted``.
  package init(_ text: Span<UInt8>, field: String = "token") throws(BiqliError) {
    let isToken = BiqliText.isWhole(text, prefix: "bqmh_", count: 43, BiqliText.isTokenCharacter)
    guard isToken else { throw .parameter(field, due: "bqmh_ and 43 letters, digits, _ or -") }
    secret = try BiqliSecret(copying: text)
  }
}
