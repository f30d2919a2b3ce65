import Glibc

/// Where the vault reads time, so that tests can hold it still.
public protocol VaultClock: Sendable {
  /// Wall time in whole seconds since 1970, as the kernel believes it.
  func wallSeconds() -> Int64
  /// Milliseconds since the machine started, sleep included; never goes back.
  func bootMilliseconds() -> Int64
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

  private static func read(_ clock: clockid_t) -> timespec {
    var now = timespec()
    return unsafe clock_gettime(clock, &now) == 0 ? now : timespec()
  }
}

/// The vault's own idea of time: the wall clock, but never behind the sealed floor.
///
/// The floor is the newest time the vault has recorded. A wall clock behind it is a gateway that
/// started without a clock, or someone turning time back to revive an expired pass; the floor is
/// used instead. One run of the daemon may raise the floor by the time that passed since its start
/// and a week more, so that a clock that jumps far ahead cannot poison the floor for good.
struct ClockFloor: Sendable {
  /// How far, in seconds, the floor may run ahead of the time known at the start.
  static let allowance: Int64 = 7 * 86_400

  /// How far, in seconds, the wall clock may be behind the floor: clocks are set back by a little.
  static let slack: Int64 = 60

  private(set) var floor: Int64
  private let floorAtStart: Int64
  private let bootAtStart: Int64

  /// Takes over the floor of the state row; zero means that none was kept yet.
  init(floor: Int64, clock: any VaultClock) {
    self.floor = floor
    floorAtStart = floor
    bootAtStart = clock.bootSeconds()
  }

  /// The time that counts now, in seconds since 1970.
  func now(_ clock: any VaultClock) -> Int64 { max(clock.wallSeconds(), floor) }

  /// Whether the wall clock is behind the floor, so that nobody knows how late it is.
  ///
  /// - Parameters:
  ///   - clock: the clock.
  ///   - floor: the floor.
  /// - Returns: whether it is, by more than a little.
  static func isBehind(_ clock: any VaultClock, _ floor: Int64) -> Bool {
    clock.wallSeconds().addingClamped(slack) < floor
  }

  /// Raises the floor to the time that counts, as far as it may.
  mutating func advance(_ clock: any VaultClock) {
    let elapsed = max(clock.bootSeconds() - bootAtStart, 0)
    let highest =
      floorAtStart == 0 ? Int64.max : floorAtStart.addingClamped(elapsed + Self.allowance)
    floor = max(floor, min(now(clock), highest))
  }
}

extension Int64 {
  /// The sum, held at the largest value.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
