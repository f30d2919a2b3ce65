/// The vault's own idea of time: the wall clock, but never behind the sealed floor, and not too far
/// beyond it.
///
/// The floor is the newest time the vault has recorded. A wall clock behind it is a gateway that
/// started without a clock, or someone turning time back to revive an expired pass; the floor is
/// used instead. A wall clock that is ahead of the time known at the start by more than what has passed
/// since, and a week, is held: a clock that jumps far ahead decides nothing, and cannot poison the
/// floor. What counts then is the time the vault knew, and it goes on with the time since the machine
/// started. A vault without a floor takes the time it finds.
struct ClockFloor: Hashable, Sendable {
  /// How far, in seconds, the wall clock may be ahead of what is known, and be believed.
  static let allowance: Int64 = 7 * 86_400

  /// How far, in seconds, the wall clock may be behind the floor: clocks are set back by a little.
  static let slack: Int64 = 60

  /// A vault of which nothing was read yet.
  static let none = ClockFloor(floor: 0, boot: 0)

  /// The newest time that was recorded, Unix seconds.
  private(set) var floor: Int64
  /// The time known at the start, or accepted since, Unix seconds; none when not positive.
  private var known: Int64
  /// When that was, in seconds since the machine started.
  private var knownSince: Int64
  /// When the floor rose last, in seconds since the machine started.
  private var raised: Int64

  /// Takes over the floor of the state row; zero means that none was kept yet.
  init(floor: Int64, clock: any VaultClock) {
    self.init(floor: floor, boot: clock.bootSeconds())
  }

  private init(floor: Int64, boot: Int64) {
    self.floor = floor
    known = floor
    knownSince = boot
    raised = boot
  }

  /// How late it is now.
  func read(_ clock: any VaultClock) -> ClockReading {
    read(wall: clock.wallSeconds(), boot: clock.bootSeconds())
  }

  private func read(wall: Int64, boot: Int64) -> ClockReading {
    if known > 0 {
      let passed = known.addingClamped(max(boot - knownSince, 0))
      if wall > passed.addingClamped(Self.allowance) {
        let risen = floor.addingClamped(max(boot - raised, 0))
        return ClockReading(time: max(passed, risen), wall: wall, standing: .held)
      }
    }
    return ClockReading(
      time: max(wall, floor), wall: wall,
      standing: wall.addingClamped(Self.slack) < floor ? .behind : .certain)
  }

  /// The time that counts now, in seconds since 1970.
  func now(_ clock: any VaultClock) -> Int64 { read(clock).time }

  /// Raises the floor to the time that counts.
  mutating func advance(_ clock: any VaultClock) {
    let boot = clock.bootSeconds()
    let time = read(wall: clock.wallSeconds(), boot: boot).time
    guard time > floor else { return }
    if known <= 0 { (known, knownSince) = (time, boot) }
    (floor, raised) = (time, boot)
  }

  /// Begins anew with a time that somebody vouches for: what is believed is counted from there.
  ///
  /// - Parameters:
  ///   - time: the time, Unix seconds.
  ///   - clock: the clock.
  mutating func restart(at time: Int64, _ clock: any VaultClock) {
    self = ClockFloor(floor: time, clock: clock)
  }
}

extension Int64 {
  /// The sum, held at the largest value.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
