/// The proleptic Gregorian calendar, in days since 1970-01-01.
extension Timestamp {
  /// The days of a month.
  static func days(in month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days since 1970 of a date from the year 0000 on.
  ///
  /// Years are counted from 1 March, so that the leap day is the last of its year and the months
  /// before it have fixed lengths: (153 m + 2) / 5 days come before month m.
  static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    // One whole 400-year cycle (146,097 days) keeps January 0000 from being negative.
    let marchYear = year + 400 - (month <= 2 ? 1 : 0)
    let marchMonth = (month + 9) % 12
    let inYear = (153 * marchMonth + 2) / 5 + day - 1
    let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + inYear
    return days - 146_097 - 719_468
  }

  /// The date of a day number from the year 0000 on.
  static func date(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = dayNumber + 719_468 + 146_097
    let cycle = days / 146_097
    let inCycle = days % 146_097
    // Leap days before `inCycle` are taken out, which leaves 365 days a year.
    let inCycleYear = (inCycle - inCycle / 1460 + inCycle / 36_524 - inCycle / 146_096) / 365
    let inYear = inCycle - (365 * inCycleYear + inCycleYear / 4 - inCycleYear / 100)
    let marchMonth = (5 * inYear + 2) / 153
    let day = inYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = cycle * 400 + inCycleYear - 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}
