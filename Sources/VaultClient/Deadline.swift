import Glibc

/// A moment of the monotonic clock after which a call gives up.
struct Deadline: Sendable {
  private let nanoseconds: Int64

  /// A moment that lies ahead.
  ///
  /// - Parameter milliseconds: how far; negative counts as now.
  init(after milliseconds: Int) {
    let (span, overflow) = Int64(max(milliseconds, 0)).multipliedReportingOverflow(by: 1_000_000)
    let (end, late) = Self.now.addingReportingOverflow(overflow ? .max : span)
    nanoseconds = late ? .max : end
  }

  /// What is left in milliseconds, rounded up so that a wait does not end early; zero when it is
  /// over.
  var remaining: Int32 {
    let left = nanoseconds - Self.now
    guard left > 0 else { return 0 }
    return Int32(clamping: left / 1_000_000 + 1)
  }

  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
