/// The times of the week at which a grant may be used.
///
/// They are times of a clock that is a fixed number of minutes ahead of UTC. There is no zone with a
/// summer time: a rule that moves by itself would open doors at hours that nobody wrote down.
package struct NokeSchedule: Hashable, Sendable {
  /// The most windows of a schedule.
  package static let maximumWindows = 32
  /// How far a clock can be ahead of UTC or, below zero, behind it, in minutes.
  package static let offsets = -720...840

  /// The windows, 1–32; a time is within the schedule when it is within one of them.
  package let windows: [NokeWindow]
  /// How many minutes their clock is ahead of UTC.
  package let utcOffsetMinutes: Int

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - windows: 1–32 windows, no two equal.
  ///   - utcOffsetMinutes: how many minutes their clock is ahead of UTC, within −720 to 840.
  /// - Throws: ``NokeError/parameter(_:due:)`` for `schedule` or `utc_offset_minutes`.
  package init(windows: [NokeWindow], utcOffsetMinutes: Int) throws(NokeError) {
    guard (1...Self.maximumWindows).contains(windows.count), Set(windows).count == windows.count
    else { throw .parameter("schedule", due: "1 to 32 windows, no two equal") }
    guard Self.offsets.contains(utcOffsetMinutes) else {
      throw .parameter("utc_offset_minutes", due: "an integer from -720 to 840")
    }
    self.windows = windows
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Whether a second is within a window.
  func contains(_ seconds: Int64) -> Bool {
    let (day, second) = local(seconds)
    return windows.contains { window in
      let (start, end) = (Int64(window.start) * 60, Int64(window.end) * 60)
      let beganToday =
        second >= start && (window.passesMidnight || second < end)
        && window.days.contains { $0.isWeekday(ofDay: day) }
      let beganYesterday =
        window.passesMidnight && second < end
        && window.days.contains { $0.isWeekday(ofDay: day - 1) }
      return beganToday || beganYesterday
    }
  }

  /// The first second after this one at which a window begins.
  func nextStart(after seconds: Int64) -> Int64 {
    let (day, second) = local(seconds)
    // A window begins at least once in seven days; the eighth day is today's weekday again.
    let starts = windows.flatMap { window in
      (Int64(0)...7).compactMap { ahead -> Int64? in
        let wait = ahead * 86_400 + Int64(window.start) * 60 - second
        let isDue = wait > 0 && window.days.contains { $0.isWeekday(ofDay: day + ahead) }
        return isDue ? seconds + wait : nil
      }
    }
    return starts.min() ?? seconds
  }

  /// The day, counted from 1970, and the second of the day that the schedule's clock shows.
  private func local(_ seconds: Int64) -> (day: Int64, second: Int64) {
    let shown = seconds + Int64(utcOffsetMinutes) * 60
    let second = ((shown % 86_400) + 86_400) % 86_400
    return ((shown - second) / 86_400, second)
  }
}
