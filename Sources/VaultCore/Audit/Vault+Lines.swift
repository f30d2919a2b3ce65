extension Vault {
  /// Answers a call that changes nothing and carries nothing computed with a key: its line follows with
  /// the next batch that can be written.
  func answer<Value: Sendable>(
    _ value: Value, _ entry: AuditEntry, _ reply: @escaping VaultWorker.Answer<Value>
  ) {
    end(entry) { reply($0.map { .failure($0) } ?? .success(value)) }
  }

  /// Answers a call with an error; its line follows as that of an answer does.
  func fail<Value>(
    _ error: VaultError, _ entry: AuditEntry, _ reply: @escaping VaultWorker.Answer<Value>
  ) {
    var entry = entry
    entry.code = error.code
    end(entry) { reply(.failure($0 ?? error)) }
  }

  /// Ends a call, now or, when as many lines are on their way as may be, when its own is written: who
  /// asks for more than can be written is held up.
  ///
  /// - Parameters:
  ///   - entry: its line.
  ///   - answer: gives the answer, or this error in its place.
  private func end(_ entry: AuditEntry, _ answer: @escaping @Sendable (VaultError?) -> Void) {
    if owed.admit() {
      write(entry)
      answer(nil)
    } else {
      committer.submit(
        .note(entry) { outcome in
          if case .failure = outcome { answer(.auditUnavailable) } else { answer(nil) }
        })
    }
  }

  /// Records something more of a call that is about to be answered.
  func record(_ entry: AuditEntry) {
    owed.add()
    write(entry)
  }

  /// Has a line written that was taken on.
  private func write(_ entry: AuditEntry) {
    committer.submit(
      .note(entry) { [owed] result in
        if case .failure = result { owed.keep(entry) } else { owed.settle() }
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
    for entry in owed.take() { write(entry) }
    record(denials.due(at: clock.bootSeconds(), isSealed: !isUnsealed))
  }

  /// Records the same and what is still being counted, before the vault closes.
  func recordAllLines() {
    for entry in owed.take() { write(entry) }
    record(denials.all())
  }

  private func record(_ lines: [DenialLog.Line]) {
    for line in lines {
      // Counted until there is room for it.
      guard owed.admit() else {
        denials.putBack(line, at: clock.bootSeconds())
        continue
      }
      committer.submit(
        .note(line.entry) { [owed, denials, clock] result in
          owed.settle()
          if case .failure = result { denials.putBack(line, at: clock.bootSeconds()) }
        })
    }
  }
}
