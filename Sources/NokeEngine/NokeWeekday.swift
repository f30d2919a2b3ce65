/// A day of the week; the raw value counts from Monday.
package enum NokeWeekday: Int, CaseIterable, Hashable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The day as it is written in a window: `mon`.
  package var word: String {
    switch self {
    case .monday: "mon"
    case .tuesday: "tue"
    case .wednesday: "wed"
    case .thursday: "thu"
    case .friday: "fri"
    case .saturday: "sat"
    case .sunday: "sun"
    }
  }

  /// Whether it is the weekday of a day counted from 1970-01-01, a Thursday.
  func isWeekday(ofDay day: Int64) -> Bool {
    (((day + 3) % 7) + 7) % 7 == Int64(rawValue)
  }
}
