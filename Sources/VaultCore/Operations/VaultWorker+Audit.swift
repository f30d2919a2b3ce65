import VaultCrypto

extension VaultWorker {
  /// Makes a checkpoint of the audit log that covers the call's own line.
  package func checkpoint(
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: AuditCheckpoint, sequence: Int64)>
  ) {
    let entry = AuditEntry("audit.checkpoint", by: subject)
    guard vault.isUnsealed else { return refuse(entry, .sealed, reply) }
    vault.committer.submit(.checkpoint(entry) { reply($0) })
  }

  /// Removes the beginning of the audit log, which somebody has put away.
  ///
  /// - Parameters:
  ///   - request: up to which line.
  ///   - subject: who asks.
  ///   - reply: how many segments were removed, and the number of the call's line.
  package func archive(
    _ request: ArchiveRequest, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Int, sequence: Int64)>
  ) {
    let entry = AuditEntry("audit.archive", by: subject)
    guard vault.isUnsealed else { return refuse(entry, .sealed, reply) }
    vault.committer.submit(.archive(entry, request) { reply($0) })
  }
}

extension Vault {
  /// The public key that checkpoints of the audit log are checked with, 32 octets; `nil` while
  /// sealed.
  package var checkpointKey: [UInt8]? { ledger.unsealed?.keys.checkpoint.publicKey.octets }
}
