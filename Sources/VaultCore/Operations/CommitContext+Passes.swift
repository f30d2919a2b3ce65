import AliroEngine
import WireCoding

extension CommitContext {
  /// Stores a pass, if the key it was checked against is still the namespace's.
  ///
  /// Persistent keys go: they were made under the trust of the earlier pass. A mailbox stays when the
  /// new pass has one of the same size.
  ///
  /// - Returns: whether there was one before.
  func store(
    _ record: PassRecord, _ resolvingKeys: GroupResolvingKeys, in name: NamespaceName,
    forKey version: Int64
  ) throws(VaultError) -> Bool {
    guard let namespace = try living(name), namespace.keyVersions.presentation == version,
      try has(.key, KeyRecord.identifier(.presentation, version: version), in: name)
    else {
      throw VaultError(
        .conflict, "the namespace's key changed meanwhile: have a pass issued for the new one")
    }
    let replaced = try has(.pass, PassRecord.identifier, in: name)
    let content = try record.encode()
    try ledger { writer throws(LedgerError) in
      try writer.put(content, .pass, PassRecord.identifier, in: name)
      try writer.setReaderGroups(record.found(with: resolvingKeys), of: name)
      _ = try writer.delete(.readerContext, PersistentKeyRecord.identifier, in: name)
      _ = try writer.delete(.readerContext, GroupResolvingKeys.identifier, in: name)
    }
    if !resolvingKeys.isEmpty {
      let keys = try resolvingKeys.encode()
      try ledger { writer throws(LedgerError) in
        _ = try writer.put(keys, .readerContext, GroupResolvingKeys.identifier, in: name)
      }
    }
    try fitMailbox(to: record.pass.mailbox, in: name)
    // Sessions that rest on an earlier pass, or on there being none, end.
    try endSessions(of: name)
    return replaced
  }

  private func fitMailbox(
    to settings: MailboxSettings?, in name: NamespaceName
  ) throws(VaultError) {
    guard let settings else {
      _ = try ledger { writer throws(LedgerError) in
        try writer.delete(.mailbox, MailboxRecord.identifier, in: name)
      }
      return
    }
    if let found = try open(.mailbox, MailboxRecord.identifier, in: name),
      try MailboxRecord(opening: found).octets.count == settings.size
    {
      return
    }
    try put(MailboxRecord(zeros: settings.size), in: name)
  }

  /// Erases the pass of a namespace with all that belongs to it, and the presentation key.
  func deletePass(_ name: NamespaceName) throws(VaultError) -> PassDeletion {
    guard let namespace = try living(name) else {
      throw VaultError(LedgerError.namespaceMissing)
    }
    let version = namespace.keyVersions.presentation
    let key = KeyRecord.identifier(.presentation, version: version)
    let (hadPass, hadKey) = try ledger { writer throws(LedgerError) in
      try writer.setReaderGroups([], of: name)
      try writer.deleteAll(.signedTranscripts, in: name)
      _ = try writer.delete(.readerContext, PersistentKeyRecord.identifier, in: name)
      _ = try writer.delete(.readerContext, GroupResolvingKeys.identifier, in: name)
      _ = try writer.delete(.mailbox, MailboxRecord.identifier, in: name)
      return (
        try writer.delete(.pass, PassRecord.identifier, in: name),
        try writer.delete(.key, key, in: name)
      )
    }
    guard hadPass || hadKey else {
      changed(namespace)
      return PassDeletion(hadKey: false, hadPass: false)
    }
    if hadKey { entry.keyVersion = version }
    try endSessions(of: name)
    markErasure()
    return PassDeletion(hadKey: hadKey, hadPass: hadPass)
  }

  private func has(
    _ kind: RecordKind, _ identifier: String, in name: NamespaceName
  ) throws(VaultError) -> Bool {
    try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).headers.contains { $0.kind == kind && $0.id == identifier }
    }
  }
}
