import AccessPolicy
import Glibc
import Synchronization
import VaultStore

/// The committer's thread: takes batches off the queue and carries them out.
final class CommitLoop {
  /// After how many batches what belongs into a pause is done without one.
  static let restEvery = 256

  let ledger: Ledger
  let writer: LedgerWriter
  let shared: SharedState
  let clock: any VaultClock
  let exporter: AuditExporter
  /// Where the newest checkpoint is kept besides.
  let anchor: (any CheckpointAnchor)?
  /// When the last checkpoint was made, boot-time milliseconds.
  var lastCheckpoint: Int64?
  private let reserve: (any SpaceReserve)?
  /// How many lines may be missing from the segments before what adds to them is refused.
  private let backlog: Int64
  var position: AuditPosition
  var floor: ClockFloor
  /// For how long a clock that is held was seen to be synchronised.
  var synchronised = SynchronisedTime()
  /// The generation of each namespace that answers rested on lately: a copy of the database's.
  var generations: [NamespaceID: Int64] = [:]
  /// What was written while sealed, to be authenticated by the next batch.
  var sealedTime: [AuditBatch] = []
  /// The next batch drops what stands in the outbox behind this one: it was tampered with.
  var dropsOutboxAfter: Int64?
  /// What the batch that opens the vault puts in force.
  var opening: Authority.State?
  /// Set when the device failed under a transaction, until the database was read again.
  var doubt: Doubt?
  /// When what an earlier release wrote is brought up to date, should that be needed.
  var upgrade = UpgradeTimes()
  /// What is still to be recorded of the start.
  var record: RunRecord
  private var sinceRest = 0
  private(set) var isReserveHeld: Bool

  /// What is not known after the device has failed.
  struct Doubt {
    /// The batch whose COMMIT may have become durable all the same.
    var batch: CommitBatch?
  }

  init(
    ledger: Ledger, writer: LedgerWriter, audit: AuditParts, reserve: (any SpaceReserve)?,
    clock: any VaultClock, shared: SharedState
  ) throws(LedgerError) {
    self.ledger = ledger
    self.writer = writer
    self.clock = clock
    self.shared = shared
    exporter = AuditExporter(source: audit.source, segmentSize: audit.segmentSize)
    anchor = audit.anchor
    backlog = audit.backlog
    self.reserve = reserve
    isReserveHeld = reserve?.hold() ?? true
    shared.meter.isReserveHeld.store(isReserveHeld, ordering: .relaxed)
    position = try AuditPosition(resuming: writer, vaultID: ledger.vaultID)
    floor = ClockFloor(floor: try writer.unprovenState()?.clockFloor ?? 0, clock: clock)
    record = RunRecord(after: writer)
    publish()
  }

  /// Carries out items in order; opening and closing the vault happen between two transactions.
  func serve(_ items: [WorkItem]) {
    holdReserve()
    watchClock()
    var batch: [WorkItem] = []
    for item in items {
      switch item.work {
      case .unseal(let key, let checkpoint):
        commit(batch)
        batch = []
        unseal(item, key, checkpoint)
      default:
        batch.append(item)
        guard item.endsBatch else { continue }
        commit(batch)
        batch = []
      }
    }
    commit(batch)
    recordFindings()
    upgradeIfDue()
    checkpointIfDue()
    sinceRest += 1
    if sinceRest >= Self.restEvery { rest() }
  }

  /// One transaction, and the answers that rest on it.
  func commit(_ items: [WorkItem]) {
    let items = admit(items)
    guard !items.isEmpty else { return }
    switch transact(items) {
    case .success(let batch):
      for (item, outcome) in zip(items, batch.outcomes) where !item.endsBatch {
        item.finish(outcome)
      }
      export(batch)
      if let last = items.last, last.endsBatch, let outcome = batch.outcomes.last {
        conclude(last, outcome)
      }
      if batch.erases, ledger.unsealed != nil { finishErasure() }
    case .failure(let error) where canUseReserve(items, error):
      reserve?.release()
      isReserveHeld = false
      shared.meter.isReserveHeld.store(false, ordering: .relaxed)
      commit(items)
    case .failure(let error):
      if items.contains(where: \.isUnseal) { sealKeys() }
      for item in items where !item.endsBatch { item.finish(.failure(error)) }
      if let last = items.last, last.endsBatch { conclude(last, .failure(error)) }
    }
  }

  /// Takes the reserve again: room may have been made since it was given up.
  func holdReserve() {
    guard !isReserveHeld else { return }
    isReserveHeld = reserve?.hold() ?? true
    shared.meter.isReserveHeld.store(isReserveHeld, ordering: .relaxed)
  }

  /// Whether giving up the reserve lets something through that takes away.
  private func canUseReserve(_ items: [WorkItem], _ error: VaultError) -> Bool {
    error.code == .storageFull && reserve != nil && isReserveHeld
      && items.contains(where: \.takesAway)
  }

  /// Why only what takes away is carried out: the reserve was given up for that, or the segments are
  /// too far behind; `nil` when everything is.
  var restriction: VaultError? {
    guard isReserveHeld else { return .storageFull }
    guard exporter.isBehind, exporter.lag(behind: position.chain.sequence) > backlog else {
      return nil
    }
    return .auditBehind
  }

  /// Answers the items that cannot be carried out now.
  ///
  /// A vault whose log is behind is unsealed all the same: it then goes on by itself when the cause is
  /// gone, and nothing is computed with its keys before.
  ///
  /// - Returns: the others.
  private func admit(_ items: [WorkItem]) -> [WorkItem] {
    // What was in the way of the log may be gone.
    if exporter.isBehind, exporter.segment != nil, let context = auditContext {
      exporter.catchUp(context)
    }
    guard let refusal = restriction else { return items }
    var admitted: [WorkItem] = []
    for item in items {
      guard !item.takesAway, !(item.isUnseal && isReserveHeld) else {
        admitted.append(item)
        continue
      }
      if item.isUnseal { sealKeys() }
      item.finish(.failure(refusal))
    }
    if admitted.count < items.count { shared.status.withLock { $0.isAvailable = false } }
    return admitted
  }

  /// Runs one transaction.
  ///
  /// - Returns: the batch once it is durable, with an outcome for each item.
  func transact(
    _ items: [WorkItem], completesErasure: Bool = false, opensRun: Bool = false
  ) -> Result<CommitBatch, VaultError> {
    let watch = Stopwatch()
    let outcome = attempt(items, completesErasure: completesErasure, opensRun: opensRun)
    switch outcome {
    case .success: shared.meter.committed(items.count, in: watch)
    case .failure: shared.meter.failures.add(1, ordering: .relaxed)
    }
    return outcome
  }

  private func attempt(
    _ items: [WorkItem], completesErasure: Bool, opensRun: Bool
  ) -> Result<CommitBatch, VaultError> {
    guard reopen() else {
      shared.status.withLock { $0.isAvailable = false }
      return .failure(.auditUnavailable)
    }
    let batch = CommitBatch(self)
    batch.completesErasure = completesErasure
    batch.opensRun = opensRun
    do throws(LedgerError) {
      try batch.carryOut(items)
      adopt(batch)
      return .success(batch)
    } catch {
      return recover(from: error, batch)
    }
  }

  /// Takes over what is durable now, before anyone hears of it.
  private func adopt(_ batch: CommitBatch) {
    position = batch.position
    if batch.opensRun { record.recorded() }
    if let advanced = batch.floor { floor = advanced }
    if !batch.wasSealed { dropsOutboxAfter = nil }
    generations.merge(batch.generations) { _, new in new }
    // The table is only a copy; a bound on it costs a look-up now and then.
    if generations.count > 65_536 { generations = [:] }
    publish(erasurePending: batch.erasurePending)
    if !batch.change.isEmpty { shared.observer(batch.change) }
  }

  /// What became of a batch that failed: after a failure of the device it may be durable all the
  /// same, so the database is read again.
  private func recover(
    from error: LedgerError, _ batch: CommitBatch
  ) -> Result<CommitBatch, VaultError> {
    generations = [:]
    var failure = VaultError(error)
    switch error {
    case .store(.inputOutput):
      doubt = Doubt(batch: batch.isDecided ? batch : nil)
      if batch.isDecided { failure = .uncertain }
    case .store(.transactionLost):
      doubt = Doubt(batch: nil)
    default: break
    }
    if doubt != nil, reopen() {
      if batch.isDecided, position == batch.position { return .success(batch) }
      failure = VaultError(error)
    }
    shared.status.withLock { $0.isAvailable = false }
    return .failure(failure)
  }

  /// Opens and proves the database anew after the device failed; until that succeeds nothing is
  /// answered.
  func reopen() -> Bool {
    guard let doubt else { return true }
    do throws(LedgerError) {
      try writer.reopen()
      if let unsealed = ledger.unsealed {
        // Tried first, as a second failure of the device must not cost the keys.
        _ = try LedgerProof(ledger.database, keys: unsealed.keys, slotVaultID: nil)
        _ = try ledger.proveAgain()
      }
      let found = try foundPosition()
      guard found == position || found == doubt.batch?.position else { throw .damaged(.stateRow) }
      self.doubt = nil
      if let batch = doubt.batch, found == batch.position {
        adopt(batch)
        export(batch)
      }
      return true
    } catch {
      if case .damaged(let damage) = error { abandon(damage) }
      return false
    }
  }

  private func foundPosition() throws(LedgerError) -> AuditPosition {
    guard let unsealed = ledger.unsealed else {
      return try AuditPosition(resuming: writer, vaultID: ledger.vaultID)
    }
    return AuditPosition(CommitState(unsealed.state), vaultID: ledger.vaultID)
  }

  /// The database came back from a failure as another one: commits that were answered are missing.
  private func abandon(_ damage: Damage) {
    report([damage.words])
    sealKeys()
    doubt = Doubt(batch: nil)
    if let found = try? AuditPosition(resuming: writer, vaultID: ledger.vaultID) {
      position = found
    }
  }

  /// What is done in a pause: the segment is made durable, and erasures are finished.
  func rest() {
    sinceRest = 0
    guard reopen() else { return }
    if let context = auditContext {
      exporter.catchUp(context)
      exporter.synchronise(context)
      publishAudit()
    }
    recordFindings()
    watchClock()
    if let state = ledger.unsealed?.state, state.erasurePending > 0 { finishErasure() }
    upgradeIfDue()
  }

  /// Cuts the write-ahead log to nothing, so that what was erased is in no file any more.
  private func finishErasure() {
    guard let done = try? writer.truncateLog(), done else { return }
    let note = WorkItem.note(AuditEntry("erasure.complete", by: .daemon))
    if case .success(let batch) = transact([note], completesErasure: true) { export(batch) }
  }
}

extension AuditEntry.Subject {
  /// The daemon itself, for what nobody asked for.
  package static let daemon = AuditEntry.Subject(
    Caller(uid: geteuid(), gid: getegid(), groups: [], pid: getpid()))
}
