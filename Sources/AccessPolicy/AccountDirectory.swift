/// Where the names of users and groups are looked up.
package protocol AccountDirectory: Sendable {
  /// The number of a user.
  ///
  /// - Returns: `nil` when there is no such user, or when it cannot be told.
  func user(named name: String) -> UInt32?
  /// The number of a group.
  ///
  /// - Returns: `nil` when there is no such group, or when it cannot be told.
  func group(named name: String) -> UInt32?
}
