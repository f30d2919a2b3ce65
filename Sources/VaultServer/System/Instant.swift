import Glibc

/// A point on the kernel's monotonic clock, in nanoseconds.
package struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary start.
  package let nanoseconds: UInt64

  /// Makes an instant from nanoseconds.
  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  /// The present.
  package static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }

  /// The instant some seconds later.
  package func advanced(seconds: Int) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(
      UInt64(clamping: seconds) &* 1_000_000_000)
    return Instant(nanoseconds: overflow ? .max : sum)
  }

  /// Whole milliseconds from here until `later`, rounded up; zero when it is past.
  func milliseconds(until later: Instant) -> Int32 {
    guard later > self else { return 0 }
    let left = later.nanoseconds - nanoseconds
    return Int32(clamping: left / 1_000_000 + 1)
  }

  /// Whether at least `seconds` lie between here and `later`; a limit of zero never runs out.
  func hasPassed(seconds: Int, at later: Instant) -> Bool {
    seconds > 0 && later >= advanced(seconds: seconds)
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
