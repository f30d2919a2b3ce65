import Synchronization

/// Lets so many requests a second through, and a burst on top, without a lock.
///
/// It is the generic cell rate algorithm: one number, the instant at which the bucket would be full
/// again, stands for both the fill and its time.
final class TokenBucket: Sendable {
  private let full = Atomic<UInt64>(0)
  private let interval: UInt64
  private let tolerance: UInt64

  /// Makes a full bucket.
  ///
  /// - Parameters:
  ///   - rate: requests a second; zero lets everything through.
  ///   - burst: requests that may come at once, at least one.
  init(rate: Int, burst: Int) {
    interval = rate > 0 ? max(1, 1_000_000_000 / UInt64(rate)) : 0
    tolerance = interval.multipliedReportingOverflow(by: UInt64(max(1, burst))).partialValue
  }

  /// Takes one request out.
  ///
  /// - Returns: whether there was one.
  func take(at now: Instant) -> Bool {
    guard interval > 0 else { return true }
    var seen = full.load(ordering: .relaxed)
    while true {
      let next = max(seen, now.nanoseconds) &+ interval
      guard next &- now.nanoseconds <= tolerance else { return false }
      let (done, current) = full.weakCompareExchange(
        expected: seen, desired: next, ordering: .relaxed)
      if done { return true }
      seen = current
    }
  }

  /// How long it takes until there is one.
  ///
  /// - Parameter now: the present.
  /// - Returns: nanoseconds; zero when there is one already.
  func wait(at now: Instant) -> UInt64 {
    let next = max(full.load(ordering: .relaxed), now.nanoseconds) &+ interval
    let room = next &- now.nanoseconds
    return room > tolerance ? room - tolerance : 0
  }

  /// Whether the bucket is full again, so that a new one would be the same.
  func isFull(at now: Instant) -> Bool {
    full.load(ordering: .relaxed) <= now.nanoseconds
  }
}
