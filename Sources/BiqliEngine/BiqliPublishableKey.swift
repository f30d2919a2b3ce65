/// What names an app to the service and carries its rate limit: `biqli_mobile_pk_` and 64 letters,
/// digits, `_` or `-`.
///
/// It is public by design.
package struct BiqliPublishableKey: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  package let description: String

  /// Checks a key.
  ///
  /// - Parameters:
  ///   - text: the key.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ text: String, field: String = "publishable_key") throws(BiqliError) {
    let isKey = BiqliText.isWhole(
      text, prefix: "biqli_mobile_pk_", count: 64, BiqliText.isTokenCharacter)
    guard isKey else {
      throw .parameter(field, due: "biqli_mobile_pk_ and 64 letters, digits, _ or -")
    }
    description = text
  }
}
