import AccessPolicy
package import WireCoding

extension VaultWorker {
  /// The most namespaces that are revoked together.
  package static let revocationLimit = 10_000

  /// Revokes a namespace: its data key and records are erased, its name stays taken for ever.
  ///
  /// The answer's number is the line in time: nothing computed with the namespace's keys gets a
  /// later one.
  package func revokeNamespace(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NamespaceID, sequence: Int64)>
  ) {
    let entry = AuditEntry("namespace.revoke", by: subject, namespace: name)
    change(entry, takesAway: true, reply) { context throws(VaultError) in
      try context.bury(name)
    }
  }

  /// Revokes a name and every name below it, all of them or none.
  ///
  /// Each has a restrictive line of its own in front of the call's, whose `count` says how many there
  /// were. That none was left out is proven by walking the whole index, on the thread for slow
  /// changes; what was made meanwhile is found when the change is carried out. So damage anywhere in
  /// the index refuses the call: one namespace can be revoked all the same.
  ///
  /// - Parameters:
  ///   - prefix: the name.
  ///   - subject: who asks.
  ///   - reply: given how many there were; `not_found` when none is left, `too_large` when there are
  ///     more than ``revocationLimit``.
  package func revokeNamespaces(
    within prefix: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Int, sequence: Int64)>
  ) {
    let entry = AuditEntry("namespace.revoke", by: subject, namespace: prefix)
    guard vault.ledger.unsealed != nil else { return refuse(entry, .sealed, reply) }
    changeSlowly(entry, reply) { vault throws(VaultError) in
      let proven = try vault.livingNamespaces(within: prefix)
      vault.committer.hooks.computed?(entry.method)
      vault.committer.submit(
        .mutation(entry, takesAway: true, target: .subtree(prefix)) {
          context throws(VaultError) in
          try context.bury(within: prefix, proven)
        } finish: {
          reply($0)
        })
    }
  }
}

extension Vault {
  /// The namespaces at and below a name that live, one more than may be revoked together.
  fileprivate func livingNamespaces(
    within prefix: NamespaceName
  ) throws(VaultError) -> [NamespaceName] {
    do throws(LedgerError) {
      return try LedgerReader(ledger).read { snapshot throws(LedgerError) in
        try snapshot.livingNamespaces(within: prefix, limit: VaultWorker.revocationLimit + 1)
      }
    } catch {
      throw VaultError(error)
    }
  }
}

extension CommitContext {
  /// Buries what lives at and below a name now, and writes a line for each.
  ///
  /// - Parameters:
  ///   - prefix: the name.
  ///   - proven: those that were there a moment ago, one more than may be buried at most.
  /// - Returns: how many there were.
  /// - Throws: `not_found` when nothing is left, `too_large` when there are too many, `damaged`.
  fileprivate func bury(
    within prefix: NamespaceName, _ proven: [NamespaceName]
  ) throws(VaultError) -> Int {
    let limit = VaultWorker.revocationLimit
    let listed = try ledger { writer throws(LedgerError) in
      try writer.livingNames(below: prefix, limit: limit + 1)
    }
    for name in Set(proven).union(listed).union([prefix]).sorted() {
      let found = try ledger { writer throws(LedgerError) in try writer.namespace(named: name) }
      guard let found, found.state != .tombstone else { continue }
      guard further.count < limit else {
        throw VaultError(
          .tooLarge, "more than \(limit) namespaces are below this name: revoke them part by part",
          field: "prefix")
      }
      var line = AuditEntry(entry.method, by: entry.subject, namespace: name)
      line.namespaceID = try bury(name)
      line.isRestrictive = true
      further.append(line)
    }
    guard !further.isEmpty else {
      throw VaultError(
        .notFound, "no namespace is left at or below this name: check the name", field: "prefix")
    }
    // The lines of the namespaces are what a restore goes by; this one sums them up.
    entry.namespaceID = nil
    entry.isRestrictive = false
    entry.count = Int64(further.count)
    return further.count
  }
}
