import NokeEngine
import WireCoding

// How pairs come, take each other's place, and go.
extension NokeRecord {
  /// What storing a pair led to.
  struct Stored {
    let role: NokeRole
    let generation: NokeGeneration
    /// Whether it was there already, with the same limits.
    let isKnown: Bool
    /// Whether a pending pair was dropped for it.
    let replaced: Bool
  }

  /// What a report led to.
  struct Reported {
    /// The pair that made the packet.
    let generation: Int64
    /// Whether that pair became the active one.
    var isPromoted = false
    /// Whether that pair is no use any more.
    var isStale = false
    /// Whether the record is another now.
    var hasChanged = false
  }

  /// Takes a pair beside the active one.
  ///
  /// The last pair that was stored may be stored once more: a caller who got no answer need not know
  /// whether the first call was carried out.
  ///
  /// - Throws: ``VaultError`` `conflict` when the environment is another, or when too many former
  ///   pairs are kept.
  mutating func store(
    _ pair: SharedNokePair, _ validity: NokeValidity, _ environment: NokeEnvironment, at time: Int64
  ) throws(VaultError) -> Stored {
    guard environment == self.environment else {
      throw VaultError(
        .conflict,
        "the lock's record is of the other environment: delete it first, if that is meant",
        field: "environment")
    }
    let last = pending ?? active
    if !last.isStale, last.validity == validity, try isEqual(last.pair, pair) {
      return Stored(
        role: pending == nil ? .active : .pending, generation: last, isKnown: true, replaced: false)
    }
    guard pending != nil || former.count < Self.spareBound, newest < Int64(UInt32.max) else {
      throw VaultError(
        .conflict,
        "too many former pairs are kept: wait until they may go, or delete the record first",
        field: "mac")
    }
    newest += 1
    let fresh = NokeGeneration(number: newest, pair: pair, validity: validity, stored: time)
    let replaced = pending != nil
    pending = fresh
    return Stored(role: .pending, generation: fresh, isKnown: false, replaced: replaced)
  }

  private func isEqual(
    _ one: SharedNokePair, _ two: SharedNokePair
  ) throws(VaultError) -> Bool {
    do { return try one.isEqual(to: two) } catch { throw VaultError(error) }
  }

  /// Takes note of what the lock has answered to the packet of a session.
  ///
  /// Only the first success of a session counts. A wrong key after it says nothing of the pair: the
  /// packet was sent once more.
  ///
  /// - Throws: ``VaultError`` `not_found` when no packet of this session is remembered.
  mutating func report(
    _ response: NokeResponse, of session: NokeSession, at time: Int64
  ) throws(VaultError) -> Reported {
    guard let place = uses.lastIndex(where: { $0.session == session.octets }) else {
      throw VaultError(
        .notFound, "the vault remembers no packet of this session: report the session it was for",
        field: "session")
    }
    let use = uses[place]
    var reported = Reported(generation: use.generation)
    switch response {
    case .result(.success) where !use.hasSucceeded:
      uses[place].hasSucceeded = true
      reported.hasChanged = true
      if active.number == use.generation {
        active.successes = min(active.successes + 1, 255)
      } else if let pending, pending.number == use.generation, !pending.isSpent(at: time) {
        takePending(pending, successes: 1, at: time)
        reported.isPromoted = true
      }
    case .result(.wrongKey) where !use.hasSucceeded:
      reported.hasChanged = markStale(use.generation)
    default: break
    }
    reported.isStale = pair(use.generation)?.generation.isStale ?? false
    return reported
  }

  private mutating func markStale(_ number: Int64) -> Bool {
    guard let found = pair(number)?.generation, !found.isStale else { return false }
    if active.number == number { active.isStale = true }
    if pending?.number == number { pending?.isStale = true }
    for place in former.indices where former[place].number == number {
      former[place].isStale = true
    }
    return true
  }

  /// Makes the pending pair the active one.
  ///
  /// - Throws: ``VaultError`` `not_found` without one; as ``NokeGeneration/check(at:isClockBehind:)``
  ///   when it could open nothing, now or for good. That it is outside its weekly hours is no hindrance.
  mutating func promote(at time: Int64) throws(VaultError) {
    guard let pending else {
      throw VaultError(.notFound, "the lock has no pending pair: store one first", field: "mac")
    }
    let standing = pending.validity.standing(at: Timestamp(clamping: time))
    if case .outside(_?) = standing, !pending.isStale {
      return takePending(pending, successes: 0, at: time)
    }
    try pending.check(at: time, isClockBehind: false)
    takePending(pending, successes: 0, at: time)
  }

  private mutating func takePending(_ next: NokeGeneration, successes: Int64, at time: Int64) {
    retire(active, at: time)
    active = next
    active.successes = successes
    pending = nil
  }

  private mutating func retire(_ generation: NokeGeneration, at time: Int64) {
    var retired = generation
    retired.retired = time
    former.insert(retired, at: 0)
  }

  /// Makes the last former pair that can still be used the active one again.
  ///
  /// The active one becomes pending, as it was before it was promoted; where there is a pending pair
  /// already, or when it can never be used again, it becomes former.
  ///
  /// - Throws: ``VaultError`` `not_found` without a former pair, `key_unusable` when none can be used.
  mutating func demote(at time: Int64) throws(VaultError) {
    guard !former.isEmpty else {
      throw VaultError(
        .notFound, "the lock has no former pair to go back to: store one", field: "mac")
    }
    guard let place = former.firstIndex(where: { !$0.isSpent(at: time) }) else {
      throw VaultError(
        .keyUnusable, "no former pair can be used any more: store a fresh one", field: "mac")
    }
    var back = former.remove(at: place)
    back.retired = nil
    back.successes = 0
    if pending == nil, !active.isSpent(at: time) {
      pending = active
      pending?.successes = 0
    } else {
      retire(active, at: time)
    }
    active = back
  }

  /// Erases the former pairs that nobody can want back.
  ///
  /// - Parameter time: a time that is certainly past, Unix seconds.
  /// - Returns: whether there was one.
  mutating func eraseFormer(at time: Int64) -> Bool {
    guard !active.isStale, active.successes >= Self.confirmations else { return false }
    let kept = former.filter { generation in
      let (age, overflow) = time.subtractingReportingOverflow(generation.retired ?? time)
      return overflow || age < Self.retention
    }
    guard kept.count < former.count else { return false }
    former = kept
    return true
  }
}
