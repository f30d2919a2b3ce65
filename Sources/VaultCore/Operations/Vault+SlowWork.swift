// What takes longer than a signature is not for an I/O thread. Reads have a thread of their own: however
// many there are, what takes something away does not wait for them.
extension Vault {
  /// Runs a step of a call that changes something, on the thread for those; when it throws, that is
  /// the answer, and recorded.
  func changeSlowly<Value>(
    _ entry: AuditEntry, _ reply: @escaping VaultWorker.Answer<Value>,
    _ body: @escaping @Sendable (Vault) throws(VaultError) -> Void
  ) {
    run(on: slowChanges, entry, reply, body)
  }

  /// Runs a step of a call that only reads, on the thread for those; when it throws, that is the
  /// answer, and recorded.
  func readSlowly<Value>(
    _ entry: AuditEntry, _ reply: @escaping VaultWorker.Answer<Value>,
    _ body: @escaping @Sendable (Vault) throws(VaultError) -> Void
  ) {
    run(on: slowReads, entry, reply, body)
  }

  /// Runs what has no line, such as a health check, on the thread for reads.
  ///
  /// - Parameters:
  ///   - subject: who asks.
  ///   - body: what to run.
  /// - Throws: `busy`, when too much is waiting.
  package func readSlowly(
    for subject: AuditEntry.Subject, _ body: @escaping @Sendable () -> Void
  ) throws(VaultError) {
    guard slowReads.run(for: subject, body) else { throw .tooMuchWaits }
  }

  private func run<Value>(
    on worker: SlowWorker, _ entry: AuditEntry, _ reply: @escaping VaultWorker.Answer<Value>,
    _ body: @escaping @Sendable (Vault) throws(VaultError) -> Void
  ) {
    let isTaken = worker.run(for: entry.subject) { [self] in
      do throws(VaultError) { try body(self) } catch { refuse(entry, error, reply) }
    }
    // One that asks for more than can be done is not to fill the log with that.
    if !isTaken { turnAway(entry, .tooMuchWaits, .rateLimited, reply) }
  }
}

extension VaultWorker {
  /// See ``Vault/changeSlowly(_:_:_:)``.
  func changeSlowly<Value>(
    _ entry: AuditEntry, _ reply: @escaping Answer<Value>,
    _ body: @escaping @Sendable (Vault) throws(VaultError) -> Void
  ) {
    vault.changeSlowly(entry, reply, body)
  }

  /// See ``Vault/readSlowly(_:_:_:)``.
  func readSlowly<Value>(
    _ entry: AuditEntry, _ reply: @escaping Answer<Value>,
    _ body: @escaping @Sendable (Vault) throws(VaultError) -> Void
  ) {
    vault.readSlowly(entry, reply, body)
  }
}

extension VaultError {
  /// The answer when more slow work is waiting than is kept.
  static let tooMuchWaits = VaultError(
    .busy, "too many calls that take long are waiting: try again when some are answered",
    retry: true)
}
