import AccessPolicy
import VaultCore

/// Finds users and groups by name or number.
package enum NameLookup {
  /// The user with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal, without zeros in front.
  /// - Returns: its number, `nil` when there is no such user or the number is reserved.
  package static func user(_ text: String) -> UInt32? {
    PolicyLine.account(text) ?? SystemAccounts().user(named: text)
  }

  /// The group with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal, without zeros in front.
  /// - Returns: its number, `nil` when there is no such group or the number is reserved.
  package static func group(_ text: String) -> UInt32? {
    PolicyLine.account(text) ?? SystemAccounts().group(named: text)
  }
}
