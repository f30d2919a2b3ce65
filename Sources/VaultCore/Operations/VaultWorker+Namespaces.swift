package import WireCoding

/// A namespace with what it holds.
package struct NamespaceDescription: Sendable {
  /// The namespace's row.
  package let entry: NamespaceEntry
  /// Its keys, none for a tombstone.
  package let keys: [KeyListing]
  /// Whether it has a pass.
  package let hasPass: Bool
  /// Whether a caller may assert that its user has confirmed, to a reader that asks for it.
  package let allowsUserConfirmation: Bool
}

extension VaultWorker {
  /// Makes a namespace; one that is there already stays as it is.
  package func createNamespace(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: (entry: NamespaceEntry, isNew: Bool), sequence: Int64)>
  ) {
    let entry = AuditEntry("namespace.create", by: subject, namespace: name)
    change(entry, reply) { context throws(VaultError) in
      if let known = try context.living(name) { return (entry: known, isNew: false) }
      return (entry: try context.create(name), isNew: true)
    }
  }

  /// Describes a namespace, a tombstone included.
  package func describeNamespace(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<NamespaceDescription>
  ) {
    let entry = AuditEntry("namespace.get", by: subject, namespace: name)
    do throws(VaultError) {
      let description: NamespaceDescription
      do {
        description = try NamespaceDescription(open(name))
      } catch  where error.code == .revoked {
        let found = try read { snapshot throws(LedgerError) in try snapshot.namespace(named: name) }
        guard let found else { throw error }
        description = NamespaceDescription(
          entry: found, keys: [], hasPass: false, allowsUserConfirmation: false)
      }
      vault.answer(description, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Allows callers, or no longer, to satisfy a reader that asks for user authentication by asserting
  /// that the user has confirmed (AUTH0 policy 03).
  ///
  /// Taking it away ends the namespace's sessions.
  package func configureNamespace(
    _ name: NamespaceName, userConfirmation: Bool, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Void, sequence: Int64)>
  ) {
    let entry = AuditEntry("namespace.configure", by: subject, namespace: name)
    change(entry, takesAway: !userConfirmation, reply) { context throws(VaultError) in
      try context.allowUserConfirmation(userConfirmation, in: name)
    }
  }

  /// Reads the ledger as it is now.
  func read<Value>(
    _ body: (LedgerSnapshot) throws(LedgerError) -> Value
  ) throws(VaultError) -> Value {
    let reader = try ledgerReader()
    do { return try reader.read(body) } catch { throw VaultError(error) }
  }
}

extension CommitContext {
  fileprivate func allowUserConfirmation(
    _ isAllowed: Bool, in name: NamespaceName
  ) throws(VaultError) {
    guard let namespace = try living(name) else { throw VaultError(LedgerError.namespaceMissing) }
    let id = NamespaceSettings.identifier
    var settings = NamespaceSettings()
    if let found = try open(.settings, id, in: name) {
      settings = try NamespaceSettings(opening: found)
    }
    entry.isRestrictive = !isAllowed
    guard settings.allowsUserConfirmation != isAllowed else { return }
    settings.allowsUserConfirmation = isAllowed
    let content = try settings.encode()
    try ledger { writer throws(LedgerError) in _ = try writer.put(content, .settings, id, in: name)
    }
    if isAllowed { changed(namespace) } else { try endSessions(of: name) }
  }
}

extension NamespaceDescription {
  /// Describes a namespace that was opened.
  ///
  /// - Throws: `damaged` for a key that does not open, as leaving it out would say there is none, and
  ///   for settings that do not.
  fileprivate init(_ namespace: OpenNamespace) throws(VaultError) {
    var keys: [KeyRecord] = []
    for purpose in KeyPurpose.allCases {
      if let key = try namespace.keys[purpose]?.get() { keys.append(key) }
    }
    self.init(
      entry: namespace.entry,
      keys: keys.map {
        KeyListing(purpose: $0.purpose, version: $0.version, created: $0.created)
      },
      hasPass: namespace.pass != nil,
      allowsUserConfirmation: try namespace.settings.get().allowsUserConfirmation)
  }
}
