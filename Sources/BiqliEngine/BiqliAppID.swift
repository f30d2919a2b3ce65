/// The name of an app: `biq_mapp_` and 26 characters of Crockford's base 32 in upper case.
package struct BiqliAppID: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  package let description: String

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - text: the name.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ text: String, field: String = "app_id") throws(BiqliError) {
    let isName = BiqliText.isWhole(text, prefix: "biq_mapp_", count: 26) { character in
      // Without I, L, O and U, which look like others.
      BiqliText.isDigit(character)
        || BiqliText.isUpper(character) && !"ILOU".utf8.contains(character)
    }
    guard isName else {
      throw .parameter(
        field, due: "biq_mapp_ and 26 digits or upper-case letters other than I, L, O and U")
    }
    description = text
  }
}
