import Glibc
import Synchronization
import VaultStore

extension CommitLoop {
  /// Opens the vault with a master key: proves the database, takes over what was recorded while
  /// sealed, brings the segment up to date, and writes the first unsealed line.
  func unseal(_ item: WorkItem, _ key: WorkItem.KeyPassage, _ kept: AuditCheckpoint?) {
    guard ledger.unsealed == nil else {
      let conflict = VaultError(.conflict, "the vault is unsealed already")
      return commit([refusal(of: item, conflict)])
    }
    let before = position
    do throws(VaultError) {
      let damage = try prove(key, kept)
      commit(AuditEntry.damage(damage).map { .note($0) } + [item])
      opening = nil
      // The first batch failed: whatever stands in the outbox, sealed time goes on behind it.
      guard ledger.unsealed != nil else { return position = before }
      upgrade = UpgradeTimes()
      upgradeIfDue()
      watchClock()
    } catch {
      opening = nil
      sealKeys()
      position = before
      commit([refusal(of: item, error)])
    }
  }

  /// The line of an opening that failed; the answer waits for it.
  private func refusal(of item: WorkItem, _ error: VaultError) -> WorkItem {
    var entry = item.entry
    entry.code = error.code
    return .note(entry) { _ in item.finish(.failure(error)) }
  }

  /// Proves the database with a master key, and compares it with checkpoints that were kept.
  ///
  /// - Returns: what is damaged, in words.
  private func prove(
    _ key: WorkItem.KeyPassage, _ kept: AuditCheckpoint?
  ) throws(VaultError) -> [String] {
    guard reopen(), let box = key.take() else { throw .auditUnavailable }
    let report: UnsealReport
    let isWhole: Bool
    do throws(LedgerError) {
      report = try ledger.unseal(box)
      isWhole = try takeOverSealedTime(after: report.state)
    } catch {
      throw VaultError(error)
    }
    guard let context = auditContext else { throw .sealed }
    try exporter.resume(report.state, context)
    exporter.catchUp(context)
    exporter.synchronise(context)
    let anchored = try compare(kept, with: report.state, context)
    var damage = report.damage.map(\.words) + exporter.takeFindings().map(\.words)
    damage += anchored.map(\.words)
    if !isWhole { damage.append(AuditFinding.sealedTime.words) }
    opening = openPolicy(&damage)
    // What has passed since the start is known, if the floor was right that was found then.
    if floor.floor != report.state.clockFloor {
      floor = ClockFloor(floor: report.state.clockFloor, clock: clock)
    }
    generations = [:]
    publish(erasurePending: report.state.erasurePending)
    let found = damage
    shared.status.withLock { $0.damage = found }
    return damage
  }

  /// Chains the batches that were written while sealed to the proven state; the next batch gives
  /// them their MAC.
  ///
  /// Nothing protected them until now. Those that do not follow each other are dropped by the same
  /// batch, which records that: the log must not vouch for them.
  ///
  /// - Returns: whether they are what this process wrote or, if it wrote none, what it found.
  private func takeOverSealedTime(after state: CommitState) throws(LedgerError) -> Bool {
    let expected = position
    position = AuditPosition(state, vaultID: ledger.vaultID)
    var chain: AuditChain? = position.chain
    sealedTime = []
    dropsOutboxAfter = nil
    for row in try writer.outbox(after: state.epoch) {
      guard row.batch == position.epoch + 1, row.mac == nil,
        let batch = AuditBatch(row, continuing: &chain), let after = chain
      else {
        dropsOutboxAfter = position.epoch
        return false
      }
      sealedTime.append(batch)
      position = AuditPosition(epoch: row.batch, chain: after)
    }
    return position == expected
  }

  /// Forgets the keys, and returns when the last thread that used them has let go.
  ///
  /// - Returns: whether the keys are gone.
  @discardableResult
  func sealKeys() -> Bool {
    weak let keys = ledger.unsealed?.keys
    ledger.seal()
    exporter.close()
    publishAudit()
    generations = [:]
    sealedTime = []
    dropsOutboxAfter = nil
    var change = CommitChange()
    change.dropsEverything = true
    change.policy = .sealed
    shared.observer(change)
    // A thread may be in the middle of a computation: a signature, a read, or at worst the
    // derivation for a new slot, which takes a second or so.
    for _ in 0..<30_000 where keys != nil { usleep(1_000) }
    return keys == nil
  }
}
