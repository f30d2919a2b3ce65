/// What was wrong with a call that was turned away before the vault looked at what it is about.
package enum DenialKind: CaseIterable, Hashable, Sendable {
  /// Nobody has allowed the caller the call, or the connection.
  case forbidden
  /// The line was no request, of no known method, or had a parameter that was refused.
  case malformed
  /// The caller has made more calls, or connections, than it may at a time.
  case rateLimited
}

extension Vault {
  /// Records a call that was turned away.
  ///
  /// - Parameters:
  ///   - entry: the line for it, with its code.
  ///   - kind: what was wrong with it.
  package func recordDenial(_ entry: AuditEntry, _ kind: DenialKind) {
    committer.submit(.note(entry))
  }
}
