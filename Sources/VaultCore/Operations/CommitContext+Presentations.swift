import AliroEngine
import SecureMemory
import WireCoding

extension CommitContext {
  /// Makes what a presentation changes durable, if all that the presentation rests on still holds.
  ///
  /// The namespace's generation stays: nothing that other sessions rest on is another now.
  ///
  /// - Throws: ``VaultError`` `revoked`, `conflict`, `damaged` or `busy`.
  func keep(_ changes: [PresentationChange], resting fence: Fence) throws(VaultError) {
    try check(fence)
    for change in changes {
      switch change {
      case .persistentKey(let key): try keep(key, resting: fence)
      case .mailbox(let writes): try write(writes, in: fence.name)
      }
    }
  }

  private func keep(_ key: PersistentKey, resting fence: Fence) throws(VaultError) {
    guard let version = fence.key?.version else {
      throw VaultError(.internal, "a persistent key was made without a credential")
    }
    let id = PersistentKeyRecord.identifier
    let found = try open(.readerContext, id, in: fence.name)
    let record: PersistentKeyRecord
    if let found {
      record = try PersistentKeyRecord(opening: found)
    } else {
      record = try PersistentKeyRecord(forKey: version)
    }
    let next = try record.adding(
      key.key, for: key.readerIdentifier, until: key.validUntil, keyVersion: version, at: now)
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(next.content, .readerContext, id, in: fence.name)
    }
  }

  /// Writes into the mailbox as it is now, which may be another than the reader has seen.
  private func write(_ writes: [MailboxWrite], in name: NamespaceName) throws(VaultError) {
    guard let found = try open(.mailbox, MailboxRecord.identifier, in: name) else {
      throw VaultError(.internal, "a reader wrote into a mailbox that is not there")
    }
    var mailbox = try MailboxRecord(opening: found)
    for write in writes { try mailbox.write(write.octets, at: write.offset) }
    try put(mailbox, in: name)
  }

  /// Stores a mailbox.
  func put(_ mailbox: MailboxRecord, in name: NamespaceName) throws(VaultError) {
    let content = try mailbox.encode()
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .mailbox, MailboxRecord.identifier, in: name)
    }
  }

  /// Opens a record as the transaction has it, `nil` when there is none.
  func open(
    _ kind: RecordKind, _ id: String, in name: NamespaceName
  ) throws(VaultError) -> SecretBytes? {
    try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).open(kind, id)
    }
  }
}
