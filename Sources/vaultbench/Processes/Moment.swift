import Glibc

/// A moment of the monotonic clock.
struct Moment {
  private let nanoseconds: Double

  /// The present.
  static var now: Moment { Moment(nanoseconds: read(CLOCK_MONOTONIC)) }

  /// Nanoseconds from here to now.
  var elapsed: Double { Self.now.nanoseconds - nanoseconds }

  /// The moment some seconds later.
  func advanced(seconds: Double) -> Moment { Moment(nanoseconds: nanoseconds + seconds * 1e9) }

  /// Whether it lies behind.
  var hasPassed: Bool { elapsed >= 0 }

  /// Processor time of the calling thread, in nanoseconds.
  static var threadTime: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
