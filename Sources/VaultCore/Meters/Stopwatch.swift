import Glibc

/// A moment of the monotonic clock, to tell how long something has taken.
package struct Stopwatch: Sendable {
  private let start: UInt64

  /// Starts now.
  package init() { start = Self.now() }

  /// Nanoseconds since the start.
  package var nanoseconds: UInt64 { Self.now() &- start }

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
