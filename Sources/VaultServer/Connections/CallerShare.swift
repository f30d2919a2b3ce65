import AccessPolicy
import Glibc
import Synchronization

/// What one user has of the server: its connections and its rate, over all threads.
final class CallerShare: Sendable {
  let uid: uid_t
  let bucket: TokenBucket
  fileprivate let connections = Atomic<Int>(0)

  init(uid: uid_t, bucket: TokenBucket) {
    self.uid = uid
    self.bucket = bucket
  }
}

/// Counts the connections, altogether and by user, and keeps each user's rate.
final class CallerShares: Sendable {
  private let shares = Mutex<[uid_t: CallerShare]>([:])
  private let total = Atomic<Int>(0)
  private let limits: Limits

  /// Administrators find room beyond the limit of all others, so that a crowd cannot lock them out.
  static let adminReserve = 16

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// The connections that are open now.
  var count: Int { total.load(ordering: .relaxed) }

  /// Makes room for one more connection of a user.
  ///
  /// - Returns: the user's share, `nil` when there is no room.
  func enter(_ caller: Caller, by endpoint: Endpoint, at now: Instant) -> CallerShare? {
    let reserve = endpoint == .admin ? Self.adminReserve : 0
    return shares.withLock { shares in
      guard count < limits.connectionLimit + reserve else { return nil }
      let share = shares[caller.uid] ?? Self.add(caller.uid, to: &shares, limits, now)
      let held = share.connections.load(ordering: .relaxed)
      guard held < limits.callerConnectionLimit + reserve else { return nil }
      share.connections.add(1, ordering: .relaxed)
      total.add(1, ordering: .relaxed)
      return share
    }
  }

  /// Gives a connection's room back.
  func leave(_ share: CallerShare) {
    share.connections.subtract(1, ordering: .relaxed)
    total.subtract(1, ordering: .relaxed)
  }

  /// A share outlives the user's connections, or reconnecting would refill its bucket; those that
  /// make no difference any more are dropped when there are many.
  private static func add(
    _ uid: uid_t, to shares: inout [uid_t: CallerShare], _ limits: Limits,
    _ now: Instant
  ) -> CallerShare {
    if shares.count >= 1024 {
      shares = shares.filter { _, share in
        share.connections.load(ordering: .relaxed) > 0 || !share.bucket.isFull(at: now)
      }
    }
    let bucket = TokenBucket(rate: limits.rate, burst: limits.burst)
    let share = CallerShare(uid: uid, bucket: bucket)
    shares[uid] = share
    return share
  }
}
