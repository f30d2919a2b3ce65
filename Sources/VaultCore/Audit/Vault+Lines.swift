extension Vault {
  /// Answers a call that changes nothing and carries nothing computed with a key: its line follows with
  /// the next batch that can be written.
  func answer<Value>(
    _ value: Value, _ entry: AuditEntry, _ reply: VaultWorker.Answer<Value>
  ) {
    guard owed.hasRoom else { return reply(.failure(.auditUnavailable)) }
    record(entry)
    reply(.success(value))
  }

  /// Records a call that was answered already, or is about to be.
  func record(_ entry: AuditEntry) {
    committer.submit(
      .note(entry) { [owed] result in
        if case .failure = result { owed.keep(entry) }
      })
  }

  /// Records a call that was turned away; see ``DenialLog``.
  ///
  /// - Parameters:
  ///   - entry: the line for it, with its code.
  ///   - kind: what was wrong with it.
  package func recordDenial(_ entry: AuditEntry, _ kind: DenialKind) {
    record(denials.take(entry, kind, at: clock.bootSeconds(), isSealed: !isUnsealed))
  }

  /// Records what was counted of calls that were turned away, and what could not be recorded before:
  /// to be called about once a second.
  package func recordOwedLines() {
    for entry in owed.take() { record(entry) }
    record(denials.due(at: clock.bootSeconds(), isSealed: !isUnsealed))
  }

  /// Records the same and what is still being counted, before the vault closes.
  func recordAllLines() {
    for entry in owed.take() { record(entry) }
    record(denials.all())
  }

  private func record(_ lines: [DenialLog.Line]) {
    for line in lines {
      committer.submit(
        .note(line.entry) { [denials, clock] result in
          // Counted until there is room for it.
          if case .failure = result { denials.putBack(line, at: clock.bootSeconds()) }
        })
    }
  }
}
