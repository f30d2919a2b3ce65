/// What was wrong with a call that was turned away before the vault looked at what it is about.
package enum DenialKind: CaseIterable, Hashable, Sendable {
  /// Nobody has allowed the caller the call, or the connection.
  case forbidden
  /// The line was no request, of no known method, or had a parameter that was refused.
  case malformed
  /// The caller has made more calls, or connections, than it may at a time, or than there is room for.
  case rateLimited
  /// The vault is sealed, and what the call may do cannot be looked up.
  case sealed
}
