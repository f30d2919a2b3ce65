import AliroEngine
import SecureMemory
import WireCoding

/// What a namespace keeps between its presentations, read at the moment the engine asks.
struct NamespaceMemory: PresentationMemory {
  let worker: VaultWorker
  /// What the session rests on: the namespace, and the key that persistent keys must belong to.
  let fence: Fence

  /// Looks up a persistent key.
  ///
  /// The work is the same whether the reader is known or not: a record is opened in any case, and
  /// every key in it looked at.
  func persistentKey(
    of readerIdentifier: [UInt8], at time: Timestamp
  ) throws(AliroError) -> SecretBytes? {
    guard let version = fence.key?.version else { return nil }
    do throws(VaultError) {
      let found = try read { contents throws(LedgerError) in
        let id = PersistentKeyRecord.identifier
        if let record = try contents.open(.readerContext, id) { return record }
        _ = try contents.open(.pass, PassRecord.identifier)
        return nil
      }
      guard let found else { return nil }
      return try PersistentKeyRecord(opening: found)
        .key(of: readerIdentifier, keyVersion: version, at: time)
    } catch {
      throw AliroError(error)
    }
  }

  func mailbox() throws(AliroError) -> [UInt8]? {
    do throws(VaultError) {
      let found = try read { contents throws(LedgerError) in
        try contents.open(.mailbox, MailboxRecord.identifier)
      }
      guard let found else { return nil }
      return try MailboxRecord(opening: found).octets
    } catch {
      throw AliroError(error)
    }
  }

  private func read(
    _ body: (borrowing NamespaceContents) throws(LedgerError) -> SecretBytes?
  ) throws(VaultError) -> SecretBytes? {
    let reader = try worker.ledgerReader()
    do throws(LedgerError) {
      return try reader.read { snapshot throws(LedgerError) in
        // A name can be another namespace's after a restore alone, but that costs nothing to see.
        guard let entry = try snapshot.namespace(named: fence.name), entry.id == fence.namespaceID
        else { throw .namespaceRevoked }
        return try body(snapshot.contents(of: entry))
      }
    } catch {
      throw VaultError(error)
    }
  }
}

extension AliroError {
  /// What a failure of the vault means to a presentation.
  fileprivate init(_ error: VaultError) {
    let code = Refusal.Code(rawValue: error.code.rawValue) ?? .busy
    self = .refused(Refusal(code, "What the namespace keeps between presentations cannot be read."))
  }
}
