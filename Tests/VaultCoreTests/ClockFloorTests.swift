import Testing

@testable import VaultCore

@Suite struct ClockFloorTests {
  private static let week = ClockFloor.allowance

  @Test func `the floor rises with time, and stands still while the clock is behind`() {
    let clock = TestClock(wall: 1_000_000, boot: 50)
    var floor = ClockFloor(floor: 1_000_000, clock: clock)
    clock.advance(wall: 100, boot: 100)
    floor.advance(clock)
    #expect(floor.floor == 1_000_100)
    clock.advance(wall: -60)
    #expect(floor.read(clock).standing == .certain && floor.now(clock) == 1_000_100)
    clock.advance(wall: -1)
    floor.advance(clock)
    #expect(floor.read(clock).standing == .behind && floor.read(clock).lead == -61)
    clock.advance(boot: 5_000)
    floor.advance(clock)
    #expect(floor.floor == 1_000_100 && floor.now(clock) == 1_000_100)
  }

  @Test func `a week beyond what has passed is believed, and a second more is held`() {
    let clock = TestClock(wall: 1_000_000, boot: 50)
    var floor = ClockFloor(floor: 1_000_000, clock: clock)
    clock.advance(wall: Self.week + 100, boot: 100)
    #expect(floor.read(clock).standing == .certain)
    clock.advance(wall: 1)
    let held = floor.read(clock)
    #expect(held.standing == .held && held.time == 1_000_100 && held.lead == Self.week + 1)
    floor.advance(clock)
    #expect(floor.floor == 1_000_100)
    // It goes on meanwhile, and never as the clock that jumped does.
    clock.advance(wall: 100 * Self.week, boot: 50)
    floor.advance(clock)
    #expect(floor.read(clock).isUncertain && floor.floor == 1_000_150)
    // Right again, it is believed at once.
    clock.advance(wall: -101 * Self.week)
    #expect(floor.read(clock).standing == .certain && floor.now(clock) == 1_000_150)
  }

  @Test func `what was believed already goes on while a clock is held`() {
    let clock = TestClock(wall: 1_000_000, boot: 0)
    var floor = ClockFloor(floor: 1_000_000, clock: clock)
    clock.advance(wall: 3 * 86_400, boot: 10)
    floor.advance(clock)
    clock.advance(wall: 50 * Self.week, boot: 7)
    #expect(floor.now(clock) == 1_000_000 + 3 * 86_400 + 7)
    // The week is counted from the start all the same, and so is not had twice.
    clock.advance(wall: -50 * Self.week + 4 * 86_400)
    #expect(floor.read(clock).standing == .certain)
    clock.advance(wall: 60)
    #expect(floor.read(clock).standing == .held)
  }

  @Test func `a vault without a floor takes the time it finds, and from then on has one`() {
    let clock = TestClock(wall: 7_000_000_000, boot: 5)
    var floor = ClockFloor(floor: 0, clock: clock)
    #expect(
      floor.read(clock)
        == ClockReading(time: 7_000_000_000, wall: 7_000_000_000, standing: .certain))
    floor.advance(clock)
    #expect(floor.floor == 7_000_000_000)
    clock.advance(wall: Self.week + 1)
    #expect(floor.read(clock).standing == .held && floor.now(clock) == 7_000_000_000)
  }

  @Test func `somebody's word begins the week anew, forwards and backwards`() {
    let clock = TestClock(wall: 1_000_000 + 9 * Self.week, boot: 5)
    var floor = ClockFloor(floor: 1_000_000, clock: clock)
    #expect(floor.read(clock).standing == .held)
    floor.restart(at: clock.wallSeconds(), clock)
    #expect(floor.read(clock).standing == .certain && floor.floor == clock.wallSeconds())
    clock.advance(wall: -5 * Self.week)
    #expect(floor.read(clock).standing == .behind)
    floor.restart(at: clock.wallSeconds() - 10, clock)
    #expect(floor.read(clock).standing == .certain && floor.now(clock) == clock.wallSeconds())
  }

  @Test func `no extreme of a clock or a floor overflows`() {
    let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 1_700_000_000, .max - 1, .max]
    let boots: [Int64] = [.min / 1_000, -1, 0, 1, .max / 1_000]
    for start in extremes {
      for wall in extremes {
        for (before, after) in boots.flatMap({ one in boots.map { (one, $0) } }) {
          var floor = ClockFloor(floor: start, clock: TestClock(wall: 0, boot: before))
          let clock = TestClock(wall: wall, boot: after)
          let reading = floor.read(clock)
          #expect(reading.time >= start || reading.time == wall)
          #expect((reading.lead > 0) == (wall > reading.time))
          floor.advance(clock)
          #expect(floor.floor >= start && floor.now(clock) >= floor.floor)
          var watch = SynchronisedTime()
          clock.synchronise()
          for _ in 0..<2 {
            let isLongEnough = watch.look(clock)
            #expect(!isLongEnough)
          }
        }
      }
    }
  }

  @Test func `a clock is synchronised after some minutes without a break`() {
    let clock = TestClock()
    var watch = SynchronisedTime()
    /// Whether it counts after five minutes of looks.
    func counts(_ between: (Int64) -> Void = { _ in }) -> Bool {
      var isLongEnough = watch.look(clock)
      for second in stride(from: Int64(30), through: SynchronisedTime.needed, by: 30) {
        clock.advance(wall: 30, boot: 30)
        between(second)
        isLongEnough = watch.look(clock)
      }
      return isLongEnough
    }
    #expect(!counts())
    clock.synchronise()
    watch.forget()
    #expect(counts())
    watch.forget()
    // A break, a clock that is set, and a time in which nobody looked begin it anew.
    #expect(!counts { clock.synchronise($0 != 150) })
    watch.forget()
    #expect(!counts { if $0 == 150 { clock.advance(wall: 61) } })
    watch.forget()
    #expect(!counts { if $0 == 150 { clock.advance(wall: -61) } })
    watch.forget()
    #expect(!counts { if $0 == 150 { clock.advance(wall: 31, boot: 31) } })
    watch.forget()
    #expect(counts { if $0 == 150 { clock.advance(wall: 59) } })
  }

  @Test func `the kernel's clock says what adjtimex does`() {
    let clock = SystemClock()
    #expect(clock.isSynchronised() == clock.isSynchronised())
    #expect(clock.wallSeconds() > 1_700_000_000 && clock.bootMilliseconds() > 0)
  }
}
