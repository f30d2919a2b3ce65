import CTimex
import Glibc

/// Where the vault reads time, so that tests can hold it still.
public protocol VaultClock: Sendable {
  /// Wall time in whole seconds since 1970, as the kernel believes it.
  func wallSeconds() -> Int64
  /// Milliseconds since the machine started, sleep included; never goes back.
  func bootMilliseconds() -> Int64
  /// Whether the kernel says that its wall time is kept by a source that can be relied on.
  func isSynchronised() -> Bool
}

extension VaultClock {
  /// Seconds since the machine started, sleep included; never goes back.
  func bootSeconds() -> Int64 { bootMilliseconds() / 1_000 }
}

/// The kernel's clocks.
public struct SystemClock: VaultClock {
  /// Makes the clock.
  public init() {}

  /// Reads `CLOCK_REALTIME`.
  ///
  /// - Returns: seconds since 1970.
  public func wallSeconds() -> Int64 { Int64(Self.read(CLOCK_REALTIME).tv_sec) }

  /// Reads `CLOCK_BOOTTIME`.
  ///
  /// - Returns: milliseconds since the machine started.
  public func bootMilliseconds() -> Int64 {
    let now = Self.read(CLOCK_BOOTTIME)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Asks `adjtimex(2)`, which takes no right as long as nothing is changed.
  ///
  /// - Returns: whether `STA_UNSYNC` is clear; not where the call is forbidden.
  public func isSynchronised() -> Bool {
    var state = timex()
    let outcome = unsafe adjtimex(&state)
    return outcome >= 0 && outcome != TIME_ERROR && state.status & STA_UNSYNC == 0
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var now = timespec()
    return unsafe clock_gettime(clock, &now) == 0 ? now : timespec()
  }
}
