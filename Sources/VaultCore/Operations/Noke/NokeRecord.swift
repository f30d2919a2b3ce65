import NokeEngine
import WireCoding

/// The pairs of one lock in one namespace, and the packets that were made with them lately.
///
/// A lock's pair is replaced in two phases. A pair that is stored beside an active one is *pending*; the
/// active one stays in use. When the lock has answered success to a packet of the pending pair, or an
/// operator says so, it becomes the active one, and that one *former*. Reports come from gateways,
/// which may lie, so a former pair is kept for 30 days and until the lock has answered success in a
/// second session; until then it can be asked for and be put back.
///
/// Each change is a step of one value, which is stored in one transaction: whenever the machine stops,
/// there is an active pair.
struct NokeRecord: Sendable {
  /// How many packets are remembered; one is forgotten for each that is made beyond.
  static let useBound = 256
  /// How many pairs there can be besides the active one.
  static let spareBound = 8
  /// How long a former pair is kept at least, in seconds.
  static let retention: Int64 = 30 * 86_400
  /// In how many sessions the active pair must have opened the lock before a former one goes.
  static let confirmations: Int64 = 2

  /// Which world all its pairs belong to.
  let environment: NokeEnvironment
  /// The pair in use.
  var active: NokeGeneration
  /// The pair that is to take its place.
  var pending: NokeGeneration?
  /// The pairs whose place was taken, the last one first.
  var former: [NokeGeneration] = []
  /// The last number that was given to a pair.
  var newest: Int64
  /// The packets that were made, the oldest first; no session twice.
  var uses: [NokeUse] = []

  /// The identifier of a lock's record: 12 hexadecimal digits in lower case.
  static func identifier(_ mac: NokeMAC) -> String { Hex.encode(mac.octets.span) }

  /// Starts with the first pair, which is active.
  init(
    _ pair: SharedNokePair, _ validity: NokeValidity, _ environment: NokeEnvironment, at time: Int64
  ) {
    self.environment = environment
    active = NokeGeneration(number: 1, pair: pair, validity: validity, stored: time)
    newest = 1
  }

  /// Takes over what was read.
  init(
    _ environment: NokeEnvironment, active: NokeGeneration, pending: NokeGeneration?,
    former: [NokeGeneration], newest: Int64, uses: [NokeUse]
  ) {
    self.environment = environment
    self.active = active
    self.pending = pending
    self.former = former
    self.newest = newest
    self.uses = uses
  }

  /// All pairs: the active one, the pending one, and the former ones, the last one first.
  var pairs: [(role: NokeRole, generation: NokeGeneration)] {
    [(.active, active)] + (pending.map { [(.pending, $0)] } ?? []) + former.map { (.former, $0) }
  }

  /// The pair of a number, unless it was erased.
  func pair(_ number: Int64) -> (role: NokeRole, generation: NokeGeneration)? {
    pairs.first { $0.generation.number == number }
  }

  /// The pair that makes a packet.
  ///
  /// - Parameters:
  ///   - role: the one that is asked for; without it the active one, or, when that is stale or its
  ///     grant over, the pending one if that is not stale and can be used now, or, when it is just
  ///     stale, such a former one.
  ///   - time: the time that counts, Unix seconds.
  ///   - isClockUncertain: whether it may be later than that.
  /// - Returns: the pair, and what it is.
  /// - Throws: ``VaultError`` `not_found` when there is none.
  func select(
    _ role: NokeRole?, at time: Int64, isClockUncertain: Bool = false
  ) throws(VaultError) -> (role: NokeRole, generation: NokeGeneration) {
    switch role {
    case nil:
      func isBetter(_ other: NokeGeneration) -> Bool {
        // A false report must not lead from a pair that opens to one that cannot be used now.
        !other.isStale && (try? other.check(at: time, isClockUncertain: isClockUncertain)) != nil
      }
      if active.isGood(at: time) { return (.active, active) }
      if let pending, isBetter(pending) { return (.pending, pending) }
      // A grant that is over does not go on with an earlier one.
      if !active.isOver(at: time), let former = bestFormer(at: time), isBetter(former) {
        return (.former, former)
      }
      return (.active, active)
    case .active: return (.active, active)
    case .pending:
      if let pending { return (.pending, pending) }
    case .former:
      if let found = bestFormer(at: time) { return (.former, found) }
    }
    throw VaultError(
      .notFound, "the lock has no such pair: ask for another generation", field: "generation")
  }

  /// The last former pair, rather one that is not stale, and rather one whose grant is not over; one
  /// that is newer than the active pair, and was perhaps never active, comes after all others.
  func bestFormer(at time: Int64) -> NokeGeneration? {
    let ordered =
      former.filter { $0.number < active.number } + former.filter { $0.number > active.number }
    return ordered.first { $0.isGood(at: time) } ?? ordered.first { !$0.isOver(at: time) }
      ?? ordered.first
  }

  /// Finds the packet that a request asks for once more.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - uid: who asks.
  /// - Returns: `nil` when the session is new.
  /// - Throws: ``VaultError`` `conflict` when the session had a packet of another request, or the
  ///   request's identifier other parameters.
  func repeated(
    _ request: NokeUnlockRequest, by uid: UInt32
  ) throws(VaultError) -> NokeUse? {
    let session = request.session.octets
    if let identity = request.identity(of: uid),
      let known = uses.last(where: { $0.request == identity })
    {
      guard known.session == session, known.isEmbedded == request.embedsTime,
        known.role == request.role
      else {
        throw VaultError(
          .conflict, "this request_id was used with other parameters: take a new one",
          field: "request_id")
      }
      return known
    }
    guard !uses.contains(where: { $0.session == session }) else {
      throw VaultError(
        .conflict,
        "a packet was made for this session: repeat its request_id, or connect to the lock anew",
        field: "session")
    }
    return nil
  }

  /// Remembers a packet.
  ///
  /// When there are too many, the oldest one goes of the user who has most, the caller before others:
  /// nobody can make the vault forget the packets of those who have fewer.
  mutating func note(_ use: NokeUse) {
    if uses.count >= Self.useBound {
      var counts: [UInt32: Int] = [:]
      for use in uses { counts[use.user, default: 0] += 1 }
      let most = counts.values.max()
      let own = uses.firstIndex { $0.user == use.user && counts[$0.user] == most }
      if let oldest = own ?? uses.firstIndex(where: { counts[$0.user] == most }) {
        uses.remove(at: oldest)
      }
    }
    uses.append(use)
  }
}
