import Glibc
import Synchronization
import VaultStore

/// The committer's thread: takes batches off the queue and carries them out.
final class CommitLoop {
  /// How many batches may be missing from the segment before answers are withheld.
  static let exportLag: Int64 = 10_000
  /// After how many batches the segment is made durable even when there is no pause.
  static let synchroniseEvery: Int64 = 256

  let ledger: Ledger
  let writer: LedgerWriter
  let shared: SharedState
  let clock: any VaultClock
  let exporter: AuditExporter
  var position: AuditPosition
  var floor: ClockFloor
  /// The generation of each namespace that answers rested on lately: a copy of the database's.
  var generations: [NamespaceID: Int64] = [:]
  /// What was written while sealed, to be authenticated by the next batch.
  var sealedTime: [AuditBatch] = []
  /// Set when the device failed under a commit, until the database was read again.
  var mustReopen = false

  init(
    ledger: Ledger, writer: LedgerWriter, audit: any AuditSource, clock: any VaultClock,
    shared: SharedState
  ) throws(LedgerError) {
    self.ledger = ledger
    self.writer = writer
    self.clock = clock
    self.shared = shared
    exporter = AuditExporter(source: audit)
    position = try AuditPosition(resuming: writer, vaultID: ledger.vaultID)
    floor = ClockFloor(floor: try writer.unprovenState()?.clockFloor ?? 0, clock: clock)
    publish()
  }

  /// Serves until the queue is closed and empty.
  func run(_ queue: BlockingQueue<WorkItem>) {
    while let items = queue.take(atMost: Committer.batchLimit, waiting: 1_000) {
      if items.isEmpty { rest() } else { serve(items) }
    }
    sealKeys()
  }

  /// Carries out items in order; opening and closing the vault happen between two transactions.
  private func serve(_ items: [WorkItem]) {
    var batch: [WorkItem] = []
    for item in items {
      switch item.work {
      case .unseal(let key):
        commit(batch)
        batch = []
        unseal(item, key)
      case .seal:
        commit(batch + [item])
        batch = []
      default:
        batch.append(item)
      }
    }
    commit(batch)
  }

  /// One transaction.
  func commit(_ items: [WorkItem]) {
    guard !items.isEmpty else { return }
    let batch = CommitBatch(self)
    let outcomes: [Result<Int64, VaultError>]
    do throws(LedgerError) {
      outcomes = try batch.carryOut(items)
    } catch {
      guard let durable = recover(from: error, batch) else {
        fail(items, VaultError(error))
        return
      }
      outcomes = durable
    }
    adopt(batch)
    for (item, outcome) in zip(items, outcomes) {
      if case .seal = item.work, case .success = outcome { sealKeys() }
      item.finish(outcome)
    }
    export(batch)
    if batch.erases { finishErasure() }
  }

  /// Takes over what is durable now, before anyone hears of it.
  private func adopt(_ batch: CommitBatch) {
    position = batch.position
    if let advanced = batch.floor { floor = advanced }
    generations.merge(batch.generations) { _, new in new }
    // The table is only a copy; a bound on it costs a look-up now and then.
    if generations.count > 65_536 { generations = [:] }
    publish(erasurePending: batch.erasurePending)
    shared.observer.withLock { $0 }(batch.change)
  }

  private func fail(_ items: [WorkItem], _ error: VaultError) {
    generations = [:]
    shared.status.withLock { $0.isAvailable = false }
    for item in items {
      switch item.work {
      case .unseal:
        sealKeys()
        item.finish(.failure(error))
      case .seal:
        // The keys go even when no disk will record it (design §2).
        sealKeys()
        item.finish(
          .failure(
            VaultError(error.code, "the vault is sealed, but that could not be recorded")))
      default: item.finish(.failure(error))
      }
    }
  }

  /// A COMMIT that met a failing device may be durable all the same: reads the database again.
  ///
  /// - Returns: the outcomes, if the batch turned out to be durable.
  private func recover(
    from error: LedgerError, _ batch: CommitBatch
  ) -> [Result<Int64, VaultError>]? {
    guard case .store(.inputOutput) = error else { return nil }
    mustReopen = true
    guard reopen(), !batch.wasSealed, let state = ledger.unsealed.map({ CommitState($0.state) }),
      state.epoch == batch.position.epoch, state.chainHead == batch.position.chain.head
    else { return nil }
    return batch.outcomes
  }

  /// Opens the database anew after the device failed; until that succeeds nothing is answered.
  func reopen() -> Bool {
    guard mustReopen else { return true }
    do throws(LedgerError) {
      try writer.reopen()
      if ledger.unsealed != nil { _ = try ledger.proveAgain() }
      mustReopen = false
      return true
    } catch {
      return false
    }
  }

  /// What is done in a pause: the segment is made durable, and erasures are finished.
  private func rest() {
    guard !mustReopen || reopen() else { return }
    if let unsealed = ledger.unsealed { exporter.catchUp(writer, unsealed) }
    exporter.synchronise()
    if let unsealed = ledger.unsealed, unsealed.state.erasurePending > 0 { finishErasure() }
    if exporter.synchronised > exporter.deleted {
      do throws(LedgerError) {
        try writer.deleteOutbox(through: exporter.synchronised)
        exporter.deleted = exporter.synchronised
      } catch { /* The rows stay until the next batch takes them. */  }
    }
  }

  private func export(_ batch: CommitBatch) {
    guard !batch.committed.isEmpty else { return }
    sealedTime = []
    for committed in batch.committed { exporter.export(committed) }
    if exporter.unsynchronised >= Self.synchroniseEvery { exporter.synchronise() }
  }

  /// Cuts the write-ahead log to nothing, so that what was erased is in no file any more.
  private func finishErasure() {
    guard let done = try? writer.truncateLog(), done else { return }
    let note = WorkItem.note(AuditEntry("erasure.complete", by: .daemon))
    let batch = CommitBatch(self)
    batch.completesErasure = true
    do throws(LedgerError) { _ = try batch.carryOut([note]) } catch { return }
    adopt(batch)
    export(batch)
  }

  func publish(erasurePending: Int64? = nil) {
    shared.floor.store(floor.floor, ordering: .relaxed)
    shared.status.withLock { status in
      status.sequence = position.chain.sequence
      status.isAvailable = true
      if let erasurePending { status.erasurePending = erasurePending }
    }
  }
}

extension AuditEntry.Subject {
  /// The daemon itself, for what nobody asked for.
  package static let daemon = AuditEntry.Subject(uid: geteuid(), pid: getpid())
}
