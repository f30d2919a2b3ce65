import AccessPolicy
import WireCoding

/// What commits have changed, for those who keep copies.
struct CommitChange: Sendable {
  /// The namespaces whose rows or records are others now.
  var names: Set<NamespaceName> = []
  /// The namespaces whose sessions end, as their generation was raised.
  var ended: Set<NamespaceID> = []
  /// What calls are judged by from now on, when that is another now.
  var policy: Authority.State?
  /// Whether every copy and session goes: the vault was sealed.
  var dropsEverything = false

  /// Whether nothing has changed.
  var isEmpty: Bool { names.isEmpty && ended.isEmpty && policy == nil && !dropsEverything }

  /// Adds what another change has changed.
  mutating func merge(_ other: CommitChange) {
    names.formUnion(other.names)
    ended.formUnion(other.ended)
    policy = other.policy ?? policy
    dropsEverything = dropsEverything || other.dropsEverything
  }
}

/// What a read-check-write function works with, inside its savepoint on the committer's thread.
package final class CommitContext {
  private let writer: LedgerWriter
  /// What calls are judged by, changes earlier in the transaction included.
  private let authority: Authority.State
  private let clock: any VaultClock
  /// The vault's idea of time, which the function may change.
  private(set) var floor: ClockFloor
  /// How late it was when the function began.
  private let reading: ClockReading
  /// A time that is past even when the wall clock has jumped ahead, Unix seconds: the floor.
  let certainlyPast: Int64
  /// The item's audit entry, to be completed with what the function finds.
  var entry: AuditEntry
  /// The lines of what the function did besides, to be written in front of the item's own.
  var further: [AuditEntry] = []
  private(set) var change = CommitChange()
  private(set) var generations: [NamespaceID: Int64] = [:]
  /// Whether something was erased that a truncating checkpoint has to finish.
  private(set) var erases = false

  /// Whether something that others could do, or reach, was taken away.
  var hasTakenAway: Bool { erases || !change.ended.isEmpty || change.policy != nil }

  init(
    writer: LedgerWriter, authority: Authority.State, floor: ClockFloor, clock: any VaultClock,
    entry: AuditEntry
  ) {
    self.writer = writer
    self.authority = authority
    self.clock = clock
    self.floor = floor
    reading = floor.read(clock)
    certainlyPast = floor.floor
    self.entry = entry
  }

  /// The time that counts, Unix seconds.
  var now: Int64 { reading.time }

  /// Whether it may be later than ``now`` says.
  var isClockUncertain: Bool { reading.isUncertain }

  /// How late it is, by the vault's idea of time as the function has left it.
  var clockReading: ClockReading { floor.read(clock) }

  /// Takes the wall clock at its word from now on.
  ///
  /// - Throws: ``VaultError`` `conflict` when it is behind what was recorded: it is not what is held then.
  func acceptClock() throws(VaultError) {
    guard reading.standing != .behind else {
      throw VaultError(
        .conflict,
        "the clock is behind what the vault has recorded: set the clock, or the floor if that is wrong"
      )
    }
    floor.restart(at: reading.time < reading.wall ? reading.wall : reading.time, clock)
  }

  /// Takes a time for the newest one that was recorded.
  ///
  /// - Parameter time: the time, Unix seconds.
  /// - Throws: ``VaultError`` `invalid_params` when it is later than the wall clock, or before 1970.
  func setClockFloor(_ time: Int64) throws(VaultError) {
    guard time > 0, time <= reading.wall else {
      throw VaultError(
        .invalidParameters, "the time is after 1970, and not later than the machine's clock",
        field: "time")
    }
    floor.restart(at: time, clock)
  }

  /// Runs a step of the ledger with its errors in the caller's words.
  func ledger<Value: ~Copyable>(
    _ body: (LedgerWriter) throws(LedgerError) -> Value
  ) throws(VaultError) -> Value {
    do { return try body(writer) } catch { throw VaultError(error) }
  }

  /// Judges a call of the item's subject, by the policy as the transaction has it.
  ///
  /// That the item itself is allowed was seen already; this is for what comes with it.
  ///
  /// - Returns: `nil` when the call would be allowed.
  func denial(of method: StaticString, _ target: PolicyTarget) -> DenialReason? {
    authority.denial(of: method, target, by: entry.subject)
  }

  /// Finds a namespace that can be used.
  ///
  /// - Returns: `nil` when the name was never used.
  /// - Throws: `revoked`, `damaged`.
  func living(_ name: NamespaceName) throws(VaultError) -> NamespaceEntry? {
    let found = try ledger { writer throws(LedgerError) in try writer.namespace(named: name) }
    guard let found else { return nil }
    entry.namespaceID = found.id
    guard found.state != .tombstone else { throw VaultError(LedgerError.namespaceRevoked) }
    return found
  }

  /// Sees whether the computation that a change rests on still holds, before anything is changed.
  func check(_ fence: Fence) throws(VaultError) {
    entry.namespaceID = fence.namespaceID
    entry.keyVersion = fence.key?.version
    try writer.check(fence)
  }

  /// Whether a computation still holds, for one that may be left out of an answer.
  func holds(_ fence: Fence) -> Bool {
    (try? writer.check(fence)) != nil
  }

  /// Notes that a namespace has other rows or records now.
  func changed(_ namespace: NamespaceEntry) {
    entry.namespaceID = namespace.id
    change.names.insert(namespace.name)
    generations[namespace.id] = namespace.generation
  }

  /// Raises a namespace's generation: answers under way and open sessions are withheld.
  func endSessions(of name: NamespaceName) throws(VaultError) {
    let raised = try ledger { writer throws(LedgerError) in
      try writer.raiseGeneration(name, at: now)
    }
    ended(raised)
  }

  /// Notes that a namespace's generation was raised, so that its sessions end.
  func ended(_ namespace: NamespaceEntry) {
    changed(namespace)
    change.ended.insert(namespace.id)
  }

  /// Buries a namespace.
  func bury(_ name: NamespaceName) throws(VaultError) -> NamespaceID {
    let buried = try ledger { writer throws(LedgerError) in try writer.bury(name, at: now).entry }
    ended(buried)
    markErasure()
    return buried.id
  }

  /// Puts another policy in force.
  ///
  /// - Parameters:
  ///   - proposal: the policy, its names looked up.
  ///   - revision: the revision it is to replace, `nil` for whichever is in force.
  /// - Returns: what has changed.
  /// - Throws: ``VaultError`` `conflict` when another revision is in force, or when nobody could change
  ///   the policy again.
  func setPolicy(
    _ proposal: PolicyProposal, replacing revision: Int64?
  ) throws(VaultError) -> PolicyChange {
    let before = authority.policy
    try proposal.check(replacing: revision, before)
    let stored = try ledger { writer throws(LedgerError) in
      try writer.setPolicy(Array(proposal.policy.text.utf8))
    }
    let changed = proposal.change(of: before, to: stored)
    change.policy = .inForce(changed.policy)
    entry.isRestrictive = changed.isRestrictive
    return changed
  }

  /// Notes that something was taken away for good.
  ///
  /// - Parameter isRestrictive: whether it must be taken away again after a restore.
  func markErasure(isRestrictive: Bool = true) {
    erases = true
    if isRestrictive { entry.isRestrictive = true }
  }
}
