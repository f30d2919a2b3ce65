import NokeEngine
import WireCoding

// How pairs come, take each other's place, and go.
extension NokeRecord {
  /// What storing a pair led to.
  struct Stored {
    let role: NokeRole
    let generation: NokeGeneration
    /// Whether it was there already.
    let isKnown: Bool
    /// Whether the limits of a pair are others now.
    let hasOtherLimits: Bool
    /// Whether a pending pair was dropped for it.
    let replaced: Bool
  }

  /// What a report led to.
  struct Reported {
    /// The pair that made the packet.
    let generation: Int64
    /// Whether that pair became the active one.
    var isPromoted = false
    /// Whether the lock has refused that pair, and not answered success to it since.
    var isStale = false
    /// Whether the record is another now.
    var hasChanged = false
  }

  /// Takes a pair beside the active one.
  ///
  /// One that is active or pending already stays what it is. Wherever a pair is kept, also as a former
  /// one, it has the limits that it was given last: a lock cannot tell two grants of one pair apart.
  /// A pending pair that no packet was made with goes; another one is kept, as the lock may have it.
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
    let (hasOtherLimits, known) = try limit(pair, to: validity)
    if let known {
      return Stored(
        role: known.role, generation: known.generation, isKnown: true,
        hasOtherLimits: hasOtherLimits, replaced: false)
    }
    let isTried = pending.map { tried in uses.contains { $0.generation == tried.number } } ?? false
    let kept = former.count + (isTried ? 1 : 0)
    guard kept < Self.spareBound, newest < Int64(UInt32.max) else {
      throw VaultError(
        .conflict,
        "too many former pairs are kept: they go after 30 days, once success was reported twice; "
          + "or delete the record first",
        field: "mac")
    }
    newest += 1
    let fresh = NokeGeneration(number: newest, pair: pair, validity: validity, stored: time)
    let replaced = pending != nil && !isTried
    if let pending, isTried { retire(pending, at: time) }
    pending = fresh
    return Stored(
      role: .pending, generation: fresh, isKnown: false, hasOtherLimits: hasOtherLimits,
      replaced: replaced)
  }

  /// Gives a pair other limits, wherever it is kept.
  ///
  /// - Returns: whether any were others, and where the pair is, if it is active or pending.
  private mutating func limit(
    _ pair: SharedNokePair, to validity: NokeValidity
  ) throws(VaultError) -> (Bool, (role: NokeRole, generation: NokeGeneration)?) {
    var hasOtherLimits = false
    var known: (role: NokeRole, generation: NokeGeneration)?
    for (role, var generation) in pairs {
      do {
        guard try generation.pair.isEqual(to: pair) else { continue }
      } catch {
        throw VaultError(error)
      }
      if generation.validity != validity {
        hasOtherLimits = true
        generation.validity = validity
        replace(generation)
      }
      if role != .former, known == nil { known = (role, generation) }
    }
    return (hasOtherLimits, known)
  }

  /// Puts a pair in the place of the one with its number.
  private mutating func replace(_ generation: NokeGeneration) {
    if active.number == generation.number { active = generation }
    if pending?.number == generation.number { pending = generation }
    for place in former.indices where former[place].number == generation.number {
      former[place] = generation
    }
  }

  /// Takes note of what the lock has answered to the packet of a session.
  ///
  /// Only the first success of a session counts. A wrong key after it says nothing of the pair: the
  /// packet was sent once more. A pair that is newer than the active one takes its place by a success,
  /// whether it is still the pending one or not. A wrong key is a word of advice: reports may be false,
  /// and a false one must not lock anybody out, so the pair stays as usable as it was.
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
      mark(use.generation, isStale: false)
      if active.number == use.generation {
        active.successes = min(active.successes + 1, 255)
      } else if use.generation > active.number,
        let newer = pair(use.generation)?.generation, !newer.isOver(at: time)
      {
        take(newer, successes: 1, at: time)
        reported.isPromoted = true
      }
    case .result(.wrongKey) where !use.hasSucceeded:
      reported.hasChanged = mark(use.generation, isStale: true)
    default: break
    }
    reported.isStale = pair(use.generation)?.generation.isStale ?? false
    return reported
  }

  /// - Returns: whether it was not so before.
  @discardableResult
  private mutating func mark(_ number: Int64, isStale: Bool) -> Bool {
    guard var found = pair(number)?.generation, found.isStale != isStale else { return false }
    found.isStale = isStale
    replace(found)
    return true
  }

  /// Makes the pending pair the active one.
  ///
  /// - Throws: ``VaultError`` `not_found` without one; as ``NokeGeneration/check(at:isClockUncertain:)``
  ///   when it could open nothing, now or for good. That it is outside its weekly hours is no hindrance.
  mutating func promote(at time: Int64) throws(VaultError) {
    guard let pending else {
      throw VaultError(.notFound, "the lock has no pending pair: store one first", field: "mac")
    }
    let standing = pending.validity.standing(at: Timestamp(clamping: time))
    if case .outside(_?) = standing { return take(pending, successes: 0, at: time) }
    try pending.check(at: time, isClockUncertain: false)
    take(pending, successes: 0, at: time)
  }

  /// Makes a pair that is pending or former the active one.
  private mutating func take(_ next: NokeGeneration, successes: Int64, at time: Int64) {
    if pending?.number == next.number { pending = nil }
    former.removeAll { $0.number == next.number }
    retire(active, at: time)
    active = next
    active.retired = nil
    active.successes = successes
    active.isStale = false
  }

  private mutating func retire(_ generation: NokeGeneration, at time: Int64) {
    var retired = generation
    retired.retired = time
    former.insert(retired, at: 0)
  }

  /// Makes the last former pair that can still be used the active one again.
  ///
  /// The active one becomes pending, as it was before it was promoted; where there is a pending pair
  /// already, or when its grant is over, it becomes former.
  ///
  /// - Throws: ``VaultError`` `not_found` without a former pair, `key_unusable` when the grants of all
  ///   are over.
  mutating func demote(at time: Int64) throws(VaultError) {
    guard !former.isEmpty else {
      throw VaultError(
        .notFound, "the lock has no former pair to go back to: store one", field: "mac")
    }
    guard let back = bestFormer(at: time), !back.isOver(at: time) else {
      throw VaultError(
        .keyUnusable, "the grants of all former pairs are over: store a fresh one", field: "mac")
    }
    let before = active
    let isFree = pending == nil && !before.isOver(at: time)
    take(back, successes: 0, at: time)
    guard isFree else { return }
    former.removeAll { $0.number == before.number }
    pending = before
    pending?.successes = 0
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
