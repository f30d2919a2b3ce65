import AccessPolicy
import Synchronization
import VaultStore

/// The only writer: one thread, one queue, one transaction a batch.
///
/// For each batch it walks the items in order, inside one SQLite write transaction: a change is run
/// in a savepoint, a finished computation is compared with what is true now, and every item gets its
/// audit line. The lines (the outbox) and the state row are part of the same transaction. Only when
/// COMMIT has returned are copies dropped and answers released; then the lines are exported.
package final class Committer: Sendable {
  /// What others may know of the committer at any time.
  package struct Status: Hashable, Sendable {
    /// The number of the last durable audit line.
    package var sequence: Int64 = 0
    /// Whether lines can be made durable.
    package var isAvailable = true
    /// How many erasures wait for a truncating checkpoint.
    package var erasurePending: Int64 = 0
    /// Why the segments cannot be written as they should, `nil` when they can.
    package var segmentTrouble: AuditFileError?
    /// Why the anchor could not be written, `nil` when it could or there is none.
    package var anchorTrouble: AuditFileError?
    /// The last line of the newest checkpoint of this run, `nil` before the first.
    package var checkpoint: Int64?
    /// What was found damaged when the vault was unsealed, in words.
    package var damage: [String] = []
  }

  /// The most items of one batch: what waits behind a batch waits for all of it.
  static let batchLimit = 256

  let hooks: VaultHooks
  private let queue = BlockingQueue<WorkItem> { $0.entry.subject.caller.uid }
  private let clock: any VaultClock
  private let shared: SharedState
  private let loop: Mutex<CommitLoop?>
  private let thread = Mutex<WorkerThread?>(nil)

  /// Takes over the writer of a ledger; `observer` is told of each change, on the committer's thread,
  /// when it is durable and before anybody is answered; `announce` of each checkpoint.
  init(
    ledger: Ledger, writer: sending LedgerWriter, audit: AuditParts,
    reserve: (any SpaceReserve)?, clock: any VaultClock, authority: Authority,
    accounts: any AccountSource, hooks: VaultHooks,
    announce: @escaping @Sendable (AuditCheckpoint) -> Void,
    observer: @escaping @Sendable (CommitChange) -> Void
  ) throws(LedgerError) {
    self.clock = clock
    self.hooks = hooks
    shared = SharedState(
      authority: authority, accounts: accounts, observer: observer, announce: announce)
    let commitLoop = try CommitLoop(
      ledger: ledger, writer: writer, audit: audit, reserve: reserve, clock: clock,
      shared: shared)
    loop = Mutex(commitLoop)
  }

  /// Starts the thread.
  func start() throws(VaultError) {
    guard let running = loop.withLock({ $0.take() }) else { return }
    let queue = queue
    let body = LoopHandover(running)
    let started = try WorkerThread(name: "committer") { body.take()?.run(queue) }
    thread.withLock { $0 = started }
  }

  /// How late it is now: by the wall clock, but never behind the sealed floor, nor too far beyond it.
  package var clockReading: ClockReading { shared.floor.withLock { $0 }.read(clock) }

  /// The time that counts now, Unix seconds.
  package var now: Int64 { clockReading.time }

  /// What others may know.
  package var status: Status { shared.status.withLock { $0 } }

  /// How many lines the audit segments are behind the database; zero while sealed.
  package var lag: Int64 { shared.meter.unexportedLines.load(ordering: .relaxed) }

  /// What it counts of its work.
  var meter: CommitMeter { shared.meter }

  /// Whether ``stop()`` was not called yet.
  var isAccepting: Bool { queue.isOpen }

  /// Queues an item; after ``stop()`` it fails at once.
  func submit(_ item: WorkItem) {
    guard queue.push(item) else {
      item.finish(.failure(VaultError(.busy, "the vault is stopping", retry: true)))
      return
    }
  }

  /// Says that the calling thread is about to queue several items, which are then committed together
  /// where that costs little time; ``endTurn()`` follows.
  func beginTurn() { queue.beginFeeding() }

  /// Says that the calling thread has queued what it had.
  func endTurn() { queue.endFeeding() }

  /// Commits what is queued, seals, and returns when the thread has ended.
  func stop() {
    queue.close()
    thread.withLock { $0.take() }?.join()
  }
}

/// What the committer's thread tells all the others.
final class SharedState: Sendable {
  /// The vault's idea of time as of the last batch.
  let floor = Mutex(ClockFloor.none)
  let status = Mutex(Committer.Status())
  let meter = CommitMeter()
  /// What calls are judged by.
  let authority: Authority
  /// Where the names of a policy are looked up.
  let accounts: any AccountSource
  // Not in a `Mutex`: each access to a function in one wraps it once more, and writes it back.
  let observer: @Sendable (CommitChange) -> Void
  let announce: @Sendable (AuditCheckpoint) -> Void

  init(
    authority: Authority, accounts: any AccountSource,
    observer: @escaping @Sendable (CommitChange) -> Void,
    announce: @escaping @Sendable (AuditCheckpoint) -> Void = { _ in }
  ) {
    self.authority = authority
    self.accounts = accounts
    self.observer = observer
    self.announce = announce
  }
}

/// Carries the loop to its thread.
private final class LoopHandover: @unchecked Sendable {
  // Filled by the thread that starts the other, emptied by the other; never used by both.
  private var loop: CommitLoop?
  init(_ loop: CommitLoop) { self.loop = loop }
  func take() -> CommitLoop? { loop.take() }
}
