import VaultCore

/// Finds users and groups by name or number.
package enum NameLookup {
  /// The user with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal.
  /// - Returns: its number, `nil` when there is no such user or the number is reserved.
  package static func user(_ text: String) -> UInt32? {
    number(text) ?? SystemAccounts().user(named: text)
  }

  /// The group with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal.
  /// - Returns: its number, `nil` when there is no such group or the number is reserved.
  package static func group(_ text: String) -> UInt32? {
    number(text) ?? SystemAccounts().group(named: text)
  }

  /// All bits set means "no one" to the kernel.
  private static func number(_ text: String) -> UInt32? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text),
      number != .max
    else { return nil }
    return number
  }
}
