import AccessPolicy
import VaultCrypto
import WireCoding

extension VaultWorker {
  /// Gives lines of the audit log that the caller may see: those of namespaces that the policy lets it
  /// ask about, and those of no namespace only if it lets it ask about all.
  ///
  /// A query that follows the log leaves no line when it shows none, or only lines that such queries
  /// have left: those who wait for lines would otherwise write them, each for all others, for ever.
  package func tailLog(
    _ query: AuditQuery, by subject: AuditEntry.Subject, _ reply: @escaping Answer<AuditPage>
  ) {
    let word = query.isFollowing ? AuditSearch.following : AuditSearch.method
    let entry = AuditEntry(word, by: subject, namespace: query.namespace)
    readSlowly(entry, reply) { vault throws(VaultError) in
      let grant =
        subject.policy == nil
        ? nil
        : try vault.authority.inForce().grant(
          of: AuditSearch.method.description, to: subject.caller)
      var search = AuditSearch(query, by: subject, grant, try vault.logReader())
      let page = try search.run()
      if query.isFollowing && !AuditSearch.hasNews(page) { return reply(.success(page)) }
      vault.answer(page, entry, reply)
    }
  }

  /// Gives a part of the files of the audit log as they are.
  package func exportLog(
    from place: LogFilePlace?, upTo end: LogFilePlace?, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<LogExtract>
  ) {
    let entry = AuditEntry("audit.export", by: subject)
    readSlowly(entry, reply) { vault throws(VaultError) in
      guard vault.isUnsealed else { throw .sealed }
      let part = try LogExtract(vault.audit, from: place, upTo: end)
      vault.answer(part, entry, reply)
    }
  }

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
  /// Reads the log up to its last durable line.
  func logReader() throws(VaultError) -> AuditLogReader {
    try AuditLogReader(audit, ledger, through: committer.status.sequence)
  }

  /// The public key that checkpoints of the audit log are checked with, 32 octets; `nil` while
  /// sealed.
  package var checkpointKey: [UInt8]? { ledger.unsealed?.keys.checkpoint.publicKey.octets }
}
