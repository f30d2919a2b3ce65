package import WireCoding

/// The state that a namespace was brought to, or was in already.
package struct NamespaceStateChange: Sendable {
  /// The namespace as it is now.
  package let entry: NamespaceEntry
  /// Whether the call changed it.
  package let isNew: Bool
}

extension VaultWorker {
  /// Suspends a namespace, so that nothing is computed with its keys, or resumes it.
  ///
  /// Suspending ends the namespace's sessions, and the answer's number is a line in time as that of a
  /// revocation is: nothing computed with the keys before has a later one. One that is in that state
  /// already stays as it is; the line is written all the same.
  ///
  /// - Parameters:
  ///   - isSuspended: whether it is to be suspended.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given the namespace; `not_found` or `revoked` when there is none that lives.
  package func setSuspended(
    _ isSuspended: Bool, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NamespaceStateChange, sequence: Int64)>
  ) {
    let method: StaticString = isSuspended ? "namespace.suspend" : "namespace.resume"
    change(
      AuditEntry(method, by: subject, namespace: name), takesAway: isSuspended, reply
    ) { context throws(VaultError) in
      try context.setSuspended(isSuspended, name)
    }
  }
}

extension CommitContext {
  fileprivate func setSuspended(
    _ isSuspended: Bool, _ name: NamespaceName
  ) throws(VaultError) -> NamespaceStateChange {
    guard let namespace = try living(name) else { throw VaultError(LedgerError.namespaceMissing) }
    entry.isRestrictive = isSuspended
    guard (namespace.state == .suspended) != isSuspended else {
      return NamespaceStateChange(entry: namespace, isNew: false)
    }
    let now = now
    let set = try ledger { writer throws(LedgerError) in
      try writer.setSuspended(isSuspended, name, at: now)
    }
    ended(set)
    return NamespaceStateChange(entry: set, isNew: true)
  }
}

extension OpenNamespace {
  /// Sees that the namespace's keys may be computed with.
  ///
  /// - Throws: `key_unusable` while it is suspended.
  func checkUsable() throws(VaultError) {
    guard entry.state != .suspended else { throw .suspended }
  }
}

extension VaultError {
  /// The answer to what would compute with the keys of a suspended namespace.
  static let suspended = VaultError(
    .keyUnusable, "the namespace is suspended: resume it first", field: "namespace")
}
