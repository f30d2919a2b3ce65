package import AccessPolicy

/// Where accounts are looked up, the groups of a user among them.
package protocol AccountSource: AccountDirectory {
  /// The groups that a process of a user has when it logs in, the effective one first.
  ///
  /// - Returns: none when there is no such user, or when it cannot be told.
  func groups(ofUser number: UInt32) -> [UInt32]
  /// Whether a user has an account whose processes may connect.
  func canConnect(user number: UInt32) -> Bool
  /// Whether a group has a member that may connect.
  func hasMember(group number: UInt32) -> Bool
}
