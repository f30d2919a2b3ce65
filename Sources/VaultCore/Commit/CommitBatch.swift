import AccessPolicy
import VaultStore
import WireCoding

/// One batch on its way through one transaction; nothing of it counts before COMMIT has returned.
final class CommitBatch {
  private let loop: CommitLoop
  private var writer: LedgerWriter { loop.writer }
  private var lines: [UInt8] = []
  private let first: Int64
  /// What calls are judged by, changes earlier in this batch included.
  private var authority: Authority.State {
    didSet { revision = authority.policy?.revision }
  }
  /// Its revision, for one comparison an item.
  private var revision: Int64?

  /// The audit log after the batch.
  private(set) var position: AuditPosition
  /// The vault's idea of time, changes earlier in this batch included.
  private var clock: ClockFloor
  /// The same after the batch, `nil` while sealed.
  private(set) var floor: ClockFloor?
  private(set) var change = CommitChange()
  private(set) var generations: [NamespaceID: Int64] = [:]
  private(set) var erases = false
  private(set) var erasurePending: Int64?
  private(set) var outcomes: [Result<Int64, VaultError>] = []
  /// Whether every item was decided, so that only COMMIT was missing.
  private(set) var isDecided = false
  /// Whether the vault was sealed when the batch began.
  private(set) var wasSealed = true
  /// What is to be exported: the batch itself, after those that were written while sealed.
  ///
  /// Nothing while sealed.
  private(set) var committed: [AuditBatch] = []
  /// Set for the batch that records the end of all erasures so far.
  var completesErasure = false
  /// Set for the batch with the lines of the daemon's start.
  var opensRun = false

  init(_ loop: CommitLoop) {
    self.loop = loop
    position = loop.position
    clock = loop.floor
    first = loop.position.chain.sequence + 1
    authority = loop.opening ?? loop.shared.authority.state
    revision = authority.policy?.revision
    change.policy = loop.opening
  }

  /// Runs the transaction; ``outcomes`` then says what to tell each item.
  ///
  /// - Throws: ``LedgerError`` when the batch as a whole failed.
  func carryOut(_ items: [WorkItem]) throws(LedgerError) {
    let state = try writer.begin()
    do throws(LedgerError) {
      wasSealed = state == nil
      position.epoch += 1
      for item in items { outcomes.append(decide(item)) }
      guard !lines.isEmpty else { throw .store(.storageFull) }
      isDecided = true
      try settle(state)
    } catch {
      writer.rollback()
      // SQLite gives up the whole transaction when the disk is full: that is what to say then.
      let isFull = outcomes.contains {
        if case .failure(let e) = $0 { e.code == .storageFull } else { false }
      }
      throw error == .store(.transactionLost) && isFull ? .store(.storageFull) : error
    }
  }

  private var now: Int64 { clock.now(loop.clock) }

  private func append(_ entry: AuditEntry) -> Int64 {
    lines.append(contentsOf: position.chain.append(entry, at: now))
    return position.chain.sequence
  }

  /// Decides one item and writes its line.
  ///
  /// The reserve of a full disk is for what takes something away. What changes nothing, or fails, has
  /// no line there: a caller could use the reserve up with such calls.
  private func decide(_ item: WorkItem) -> Result<Int64, VaultError> {
    var entry = item.entry
    do throws(VaultError) {
      switch item.work {
      case .note, .unseal:
        break
      case .seal:
        try judge(&entry, item.target)
      case .checkpoint:
        guard !wasSealed else { throw .sealed }
        try judge(&entry, item.target)
      case .archive(let request, _):
        try judge(&entry, item.target)
        entry.detailDigest = try prune(request)
      case .release(let fence):
        try judge(&entry, item.target)
        entry.namespaceID = fence.namespaceID
        entry.keyVersion = fence.key?.version
        try check(fence)
      case .mutate(let body):
        try judge(&entry, item.target)
        let done = try mutate(entry, body)
        for line in done.further { _ = append(line) }
        entry = done.entry
      }
      return .success(append(entry))
    } catch {
      guard loop.isReserveHeld else { return .failure(.storageFull) }
      entry.code = error.code
      entry.isRestrictive = false
      _ = append(entry)
      return .failure(error)
    }
  }

  /// Judges a call once more that was judged by another policy than the one in force, which may have
  /// taken the right away.
  private func judge(_ entry: inout AuditEntry, _ target: PolicyTarget) throws(VaultError) {
    guard entry.subject.policy != revision, entry.subject.policy != nil else { return }
    // There is no policy while sealed. Nothing but sealing goes on then, and that is done.
    guard !wasSealed else { return }
    guard authority.denial(of: entry.method, target, by: entry.subject) != nil else {
      return entry.subject.policy = revision
    }
    entry.subject.policy = revision
    entry.reason = .withdrawn
    throw .forbidden(.withdrawn)
  }

  /// Records that the beginning of the log goes; it goes when the line is durable.
  private func prune(_ request: ArchiveRequest) throws(VaultError) -> [UInt8] {
    guard !wasSealed, let context = loop.auditContext else { throw .sealed }
    return try loop.exporter.prune(request, context)
  }

  /// Whether what an answer rests on still holds, changes earlier in this batch included.
  private func check(_ fence: Fence) throws(VaultError) {
    guard !wasSealed else { throw .sealed }
    if generation(fence.namespaceID) == fence.generation { return }
    generations[fence.namespaceID] = try writer.check(fence)
  }

  private func generation(_ id: NamespaceID) -> Int64? {
    generations[id] ?? loop.generations[id]
  }

  private func mutate(
    _ entry: AuditEntry, _ body: (CommitContext) throws(VaultError) -> Void
  ) throws(VaultError) -> CommitContext {
    guard !wasSealed else { throw .sealed }
    let context = CommitContext(
      writer: writer, authority: authority, floor: clock, clock: loop.clock, entry: entry)
    try writer.savepoint(wrap: { VaultError($0) }) { () throws(VaultError) in
      try body(context)
      guard loop.isReserveHeld || context.hasTakenAway else { throw .storageFull }
    }
    clock = context.floor
    change.merge(context.change)
    if let policy = context.change.policy { authority = policy }
    generations.merge(context.generations) { _, new in new }
    erases = erases || context.erases
    return context
  }

  /// Writes the outbox and the state row, and commits.
  private func settle(_ state: CommitState?) throws(LedgerError) {
    guard let state, let unsealed = writer.ledger.unsealed else {
      try writer.addToOutbox(
        OutboxRow(
          batch: position.epoch, firstSeq: first, lastSeq: position.chain.sequence, lines: lines,
          mac: nil))
      // The state row stays as it is: without the keys it cannot be authenticated.
      try writer.commit(CommitState.unchanged)
      return
    }
    if let last = loop.dropsOutboxAfter { try writer.dropOutbox(after: last) }
    for batch in loop.sealedTime {
      let signed = batch.signed(by: unsealed)
      guard try writer.setOutboxMAC(signed.mac, batch: signed.number) else {
        throw .damaged(.database(.row(.auditOutbox)))
      }
      committed.append(signed)
    }
    let own = AuditBatch(
      number: position.epoch, first: first, lines: lines, chain: position.chain
    ).signed(by: unsealed)
    try writer.addToOutbox(own.row)
    committed.append(own)
    let exported = loop.exporter.synchronised
    if exported > loop.exporter.deleted { try writer.deleteOutbox(through: exported) }
    try writer.commit(next(after: state))
    loop.exporter.deleted = max(exported, loop.exporter.deleted)
  }

  private func next(after state: CommitState) -> CommitState {
    var next = state
    var advanced = clock
    advanced.advance(loop.clock)
    floor = advanced
    next.epoch = position.epoch
    next.seq = position.chain.sequence
    next.chainHead = position.chain.head
    next.clockFloor = advanced.floor
    if completesErasure { next.erasurePending = 0 }
    if erases { next.erasurePending += 1 }
    erasurePending = next.erasurePending
    return next
  }
}

extension CommitState {
  /// What the writer is given while sealed, when it leaves the state row alone.
  fileprivate static let unchanged = CommitState(
    epoch: 0, seq: 0, chainHead: [], clockFloor: 0, erasurePending: 0)
}
