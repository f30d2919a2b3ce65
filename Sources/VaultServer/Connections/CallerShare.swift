import AccessPolicy
import Glibc
import Synchronization

/// What one user has of the server: its connections, its rate and its locked memory, over all threads.
final class CallerShare: Sendable {
  let uid: uid_t
  let bucket: TokenBucket
  fileprivate let budget: LockedBudget
  fileprivate let connections = Atomic<Int>(0)

  fileprivate init(uid: uid_t, bucket: TokenBucket, budget: LockedBudget) {
    self.uid = uid
    self.bucket = bucket
    self.budget = budget
  }
}

/// Counts the connections and the locked memory of half-sent requests, altogether and by user, and
/// keeps each user's rate.
///
/// Administrators find room beyond what all others can take, so that a crowd cannot lock them out.
final class CallerShares: Sendable {
  private let shares = Mutex<[uid_t: CallerShare]>([:])
  private let total = Atomic<Int>(0)
  private let limits: Limits
  /// All the locked memory, and what others than administrators have of it.
  private let memory: LockedBudget
  private let commonMemory: LockedBudget

  /// How many connections administrators have beyond the limits, by the admin socket.
  static let adminReserve = 16

  init(_ limits: Limits) {
    self.limits = limits
    memory = LockedBudget(limits.partialLimit)
    commonMemory = LockedBudget(limits.partialLimit / 4 * 3, of: memory)
  }

  /// The connections that are open now.
  var count: Int { total.load(ordering: .relaxed) }

  /// Makes room for one more connection of a user.
  ///
  /// - Returns: the user's share, `nil` when there is no room.
  func enter(
    _ caller: Caller, _ standing: Standing, by endpoint: Endpoint, at now: Instant
  ) -> CallerShare? {
    let reserve = standing == .administrator && endpoint == .admin ? Self.adminReserve : 0
    return shares.withLock { shares in
      guard count < limits.connectionLimit + reserve else { return nil }
      let share = shares[caller.uid] ?? add(caller.uid, to: &shares, now)
      let held = share.connections.load(ordering: .relaxed)
      guard held < limits.callerConnectionLimit + reserve else { return nil }
      share.connections.add(1, ordering: .relaxed)
      total.add(1, ordering: .relaxed)
      return share
    }
  }

  /// The locked memory that a connection may take for half a request: for a user up to half of all
  /// that there is.
  func budget(of share: CallerShare, _ standing: Standing) -> LockedBudget {
    standing == .administrator ? memory : share.budget
  }

  /// Gives a connection's room back.
  func leave(_ share: CallerShare) {
    share.connections.subtract(1, ordering: .relaxed)
    total.subtract(1, ordering: .relaxed)
  }

  /// A share outlives the user's connections, or reconnecting would refill its bucket; those that
  /// make no difference any more are dropped when there are many.
  private func add(
    _ uid: uid_t, to shares: inout [uid_t: CallerShare], _ now: Instant
  ) -> CallerShare {
    if shares.count >= 1024 {
      shares = shares.filter { _, share in
        share.connections.load(ordering: .relaxed) > 0 || !share.bucket.isFull(at: now)
      }
    }
    let share = CallerShare(
      uid: uid, bucket: TokenBucket(rate: limits.rate, burst: limits.burst),
      budget: LockedBudget(limits.partialLimit / 2, of: commonMemory))
    shares[uid] = share
    return share
  }
}
