import WireCoding

/// How a schedule recurs: `[ duration, mask, pattern, interval, ordinal ]` (section 13).
///
/// Each time begins at the schedule's time of day.
struct AccessRecurrence: Hashable, Sendable {
  enum Pattern: UInt64, Sendable {
    case daily = 1
    case weekly, monthlyByDay, monthlyByDate
    case yearlyByDay, yearlyByDate, yearlyByWeek, yearlyByMonthWeek
  }

  /// How long each time lasts, in seconds.
  let duration: Int64
  /// Bits 0–6 Monday to Sunday, 7–18 January to December; or bits 0–30 the days of a month.
  private let mask: UInt64
  let pattern: Pattern
  /// Every how many days, weeks, months or years, 1–255.
  let interval: Int64
  /// Which day, date or week of the period; 0 when the mask says so.
  let ordinal: Int64

  /// Reads a recurrence; `nil` when it is something else, or its ordinal counts what no calendar has.
  init?(_ item: CBORItem) {
    guard let fields = item.array, fields.count == 5, let duration = fields[0].integer,
      duration >= 0, let mask = fields[1].unsigned,
      let pattern = fields[2].unsigned.flatMap({ Pattern(rawValue: $0) }),
      let interval = fields[3].integer, (1...255).contains(interval),
      let ordinal = fields[4].integer
    else { return nil }
    self.duration = duration
    self.mask = mask
    self.pattern = pattern
    self.interval = interval
    self.ordinal = ordinal
    guard isInCalendar else { return nil }
  }

  /// Whether there is a day or week of the ordinal's number, from the start of the period or its end.
  private var isInCalendar: Bool {
    let most: UInt64 =
      switch pattern {
      // The ordinal says nothing here.
      case .daily, .weekly: .max
      case .monthlyByDay: places(in: 31)
      case .monthlyByDate: 31
      case .yearlyByDay: places(in: longestPeriod)
      case .yearlyByDate: longestPeriod
      case .yearlyByWeek: 53
      case .yearlyByMonthWeek: months.isEmpty ? 53 : 6
      }
    return ordinal.magnitude <= most
      && (ordinal != 0 || [.daily, .weekly, .monthlyByDate].contains(pattern))
  }

  /// How many of the weekdays, or of any days without them, there can be in as many days.
  private func places(in days: UInt64) -> UInt64 {
    let each = weekdays.isEmpty ? 7 : UInt64(weekdays.count)
    return days / 7 * each + min(days % 7, each)
  }

  /// The days of the longest of the months, or of a year without them.
  private var longestPeriod: UInt64 {
    months.map { Self.monthLengths[$0] }.max() ?? 366
  }

  /// The recurrence in plain words: days, then the hours.
  func words(startingAt start: Timestamp) -> String {
    "\(days) \(hours(startingAt: start))"
  }

  /// `08:00–18:00`; longer than a day in hours and minutes.
  private func hours(startingAt start: Timestamp) -> String {
    let begin = start.timeOfDay
    guard duration < 86_400 else {
      if duration == 86_400, begin == "00:00" { return "all day" }
      let minutes = duration / 60
      return "from \(begin) for \(minutes / 60) h"
        + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }
    let end = Timestamp(clamping: start.seconds + duration)
    let isNextDay = end.description.prefix(10) != start.description.prefix(10)
    return "\(begin)–\(end.timeOfDay)" + (isNextDay ? " (next day)" : "")
  }

  private var days: String {
    switch pattern {
    case .daily:
      interval == 1 && !weekdays.isEmpty ? weekdayWords : every("day")
    case .weekly:
      interval == 1 ? weekdayWords : "\(every("week")) on \(weekdayWords)"
    case .monthlyByDay:
      "on the \(place) \(dayOfPlace) of \(every("month"))"
    case .monthlyByDate:
      "on \(dates) of \(every("month"))"
    case .yearlyByDay:
      "on the \(place) \(dayOfPlace) of \(monthWords), \(every("year"))"
    case .yearlyByDate:
      "on \(numbered("day")) of \(monthWords), \(every("year"))"
    case .yearlyByWeek:
      "in \(numbered("week")) of \(every("year")) on \(weekdayWords)"
    case .yearlyByMonthWeek:
      "in \(numbered("week")) of \(monthWords), \(every("year")), on \(weekdayWords)"
    }
  }

  private func every(_ unit: String) -> String {
    interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
  }

  private var weekdays: [Int] { (0..<7).filter { mask & (1 << UInt64($0)) != 0 } }

  private var weekdayWords: String {
    switch weekdays {
    case [], [0, 1, 2, 3, 4, 5, 6]: "every day"
    case [0, 1, 2, 3, 4]: "weekdays"
    case [5, 6]: "weekends"
    case let days: days.map { Self.weekdayNames[$0] + "s" }.joinedInWords
    }
  }

  /// What is counted where an ordinal tells which day it is.
  private var dayOfPlace: String {
    switch weekdays {
    case [], [0, 1, 2, 3, 4, 5, 6]: "day"
    case [0, 1, 2, 3, 4]: "weekday"
    case let days: days.map { Self.weekdayNames[$0] }.joinedInWords
    }
  }

  private var months: [Int] { (0..<12).filter { mask & (1 << UInt64($0 + 7)) != 0 } }

  private var monthWords: String {
    months.isEmpty ? "the year" : months.map { Self.monthNames[$0] }.joinedInWords
  }

  private var dates: String {
    guard ordinal == 0 else { return numbered("day") }
    let dates = (1...31).filter { mask & (1 << UInt64($0 - 1)) != 0 }.map { "\($0)" }
    return switch dates.count {
    case 0: "no day"
    case 1: "day \(dates[0])"
    default: "days \(dates.joinedInWords)"
    }
  }

  /// `day 15`, or `the last day`.
  private func numbered(_ unit: String) -> String {
    ordinal < 0 ? "the \(place) \(unit)" : "\(unit) \(ordinal)"
  }

  /// Which of the days; that negative numbers count from the end is usual, and not stated.
  private var place: String {
    let number = ordinal.magnitude
    let suffix =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    let words = Self.ordinals[ordinal] ?? "\(number)\(suffix)"
    return ordinal < -1 ? "\(words) last" : words
  }

  private static let ordinals: [Int64: String] = [
    1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last",
  ]

  private static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The most days of each month.
  private static let monthLengths: [UInt64] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}
