import VaultStore

/// When an upgrade is tried: at once, then at distances that double up to about a minute.
struct UpgradeTimes {
  private static let longestWait: Int64 = 64
  private var due = Int64.min
  private var wait: Int64 = 1

  /// Whether it is time, in boot-time seconds.
  func isDue(at now: Int64) -> Bool { now >= due }

  /// Waits for the next attempt, longer than for the last one.
  mutating func postpone(at now: Int64) {
    due = now + wait
    wait = min(2 * wait, Self.longestWait)
  }
}

extension CommitLoop {
  /// Brings what an earlier release wrote up to date, if that is needed and due.
  ///
  /// An attempt that fails, on a full disk say, is made up for with a later batch or in a pause.
  func upgradeIfDue() {
    let now = clock.bootSeconds()
    guard let unsealed = ledger.unsealed, !unsealed.state.groupsIndexed, upgrade.isDue(at: now)
    else { return }
    upgrade.postpone(at: now)
    holdReserve()
    commit([.upgrade()])
  }
}
