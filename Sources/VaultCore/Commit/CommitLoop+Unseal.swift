import Glibc
import Synchronization
import VaultStore

extension CommitLoop {
  /// Opens the vault with a master key: proves the database, takes over what was recorded while
  /// sealed, brings the segment up to date, and writes the first unsealed line.
  func unseal(_ item: WorkItem, _ key: MasterKeyBox) {
    guard ledger.unsealed == nil else {
      return item.finish(.failure(VaultError(.conflict, "the vault is unsealed already")))
    }
    do throws(VaultError) {
      try prove(key)
      commit([item])
    } catch {
      sealKeys()
      var entry = item.entry
      entry.code = error.code
      commit([WorkItem.note(entry) { _ in item.finish(.failure(error)) }])
    }
  }

  private func prove(_ key: MasterKeyBox) throws(VaultError) {
    let report: UnsealReport
    let rows: [OutboxRow]
    do throws(LedgerError) {
      report = try ledger.unseal(key)
      rows = try writer.allOutbox(from: 0)
    } catch {
      throw VaultError(error)
    }
    guard let unsealed = ledger.unsealed else { throw .sealed }
    var damage = report.damage.map(\.words)
    let proven = rows.prefix { $0.batch <= report.state.epoch }
    if let words = try exporter.resume(report.state, outbox: Array(proven), unsealed) {
      damage.append(words)
    }
    try takeOverSealedTime(rows.dropFirst(proven.count), after: report.state, &damage)
    floor = ClockFloor(floor: report.state.clockFloor, clock: clock)
    generations = [:]
    publish(erasurePending: report.state.erasurePending)
    let found = damage
    shared.status.withLock { $0.damage = found }
  }

  /// Chains the batches that were written while sealed to the proven state; the next batch gives
  /// them their MAC.
  ///
  /// Nothing protected them until now. Those that do not follow each other are dropped, and that is
  /// reported: the log must not vouch for them.
  private func takeOverSealedTime(
    _ rows: ArraySlice<OutboxRow>, after state: CommitState, _ damage: inout [String]
  ) throws(VaultError) {
    var chain: AuditChain? =
      state.epoch > 0
      ? AuditPosition(state).chain : AuditChain(vaultID: ledger.vaultID)
    var next = state.epoch
    sealedTime = []
    for row in rows {
      guard row.batch == next + 1, row.mac == nil,
        let batch = AuditBatch(row, continuing: &chain)
      else {
        damage.append("audit lines that were written while sealed are damaged, and were dropped")
        try dropOutbox(after: next)
        break
      }
      sealedTime.append(batch)
      next = row.batch
    }
    position = AuditPosition(
      epoch: next, chain: chain ?? AuditChain(vaultID: ledger.vaultID))
  }

  private func dropOutbox(after batch: Int64) throws(VaultError) {
    do throws(LedgerError) {
      try writer.dropOutbox(after: batch)
    } catch {
      throw VaultError(error)
    }
  }

  /// Forgets the keys, and returns when the last thread that used them has let go.
  func sealKeys() {
    weak let keys = ledger.unsealed
    ledger.seal()
    exporter.close()
    generations = [:]
    sealedTime = []
    var change = CommitChange()
    change.dropsEverything = true
    shared.observer.withLock { $0 }(change)
    // A thread may be in the middle of a computation; none takes longer than a signature or a read.
    for _ in 0..<5_000 where keys != nil { usleep(1_000) }
  }
}
