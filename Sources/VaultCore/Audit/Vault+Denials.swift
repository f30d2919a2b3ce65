extension Vault {
  /// Records a call that was turned away; see ``DenialLog``.
  ///
  /// - Parameters:
  ///   - entry: the line for it, with its code.
  ///   - kind: what was wrong with it.
  package func recordDenial(_ entry: AuditEntry, _ kind: DenialKind) {
    write(denials.take(entry, kind, at: clock.bootSeconds(), isSealed: !isUnsealed))
  }

  /// Records what was counted of calls that were turned away: to be called about once a second.
  package func recordCountedDenials() {
    write(denials.due(at: clock.bootSeconds(), isSealed: !isUnsealed))
  }

  /// Records what was counted and is not over, before the vault closes.
  func recordAllDenials() {
    write(denials.all())
  }

  private func write(_ lines: [DenialLog.Line]) {
    for line in lines {
      // On a full disk, say, they are counted until there is room.
      committer.submit(
        .note(line.entry) { [denials, clock] result in
          if case .failure = result { denials.putBack(line, at: clock.bootSeconds()) }
        })
    }
  }
}
