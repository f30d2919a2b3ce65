/// A time that comes back each week: from a minute of some days until another.
///
/// Written `mon,fri 22:00-06:00`: days in the order of the week, each once, then the first minute and
/// the one at which it is over. An end before the start is in the next day; midnight as an end is
/// `24:00`. So each window has one text, and no window is empty.
package struct NokeWindow: Hashable, Sendable, CustomStringConvertible {
  /// The days on which it begins, Monday first.
  package let days: [NokeWeekday]
  /// The first minute of the day, 0–1439.
  package let start: Int
  /// The minute at which it is over, 1–1440.
  package let end: Int

  /// Reads a window.
  ///
  /// - Parameters:
  ///   - text: the window.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``NokeError/parameter(_:due:)``.
  package init(_ text: String, field: String = "window") throws(NokeError) {
    guard let window = Self.read(text) else {
      throw .parameter(field, due: "days and times such as mon,fri 22:00-06:00")
    }
    self = window
  }

  /// Makes a window of its parts; `nil` when one of them is out of its range, when there is no day, or
  /// when it would be over as it begins.
  init?(days: [NokeWeekday], start: Int, end: Int) {
    let ordered = NokeWeekday.allCases.filter { days.contains($0) }
    guard !days.isEmpty, days == ordered, (0..<1440).contains(start), (1...1440).contains(end),
      start != end
    else { return nil }
    self.days = days
    self.start = start
    self.end = end
  }

  /// Whether it is over on the day after it began.
  package var passesMidnight: Bool { end < start }

  /// The text.
  package var description: String {
    "\(days.map(\.word).joined(separator: ",")) \(Self.time(start))-\(Self.time(end))"
  }

  private static func time(_ minute: Int) -> String {
    let (hour, minute) = (minute / 60, minute % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  private static func read(_ text: String) -> NokeWindow? {
    // The longest text has seven days: 27 octets, a blank, and 11.
    let octets = Array(text.utf8.prefix(40))
    guard octets.count < 40, octets.count > 11 else { return nil }
    let times = Array(octets.suffix(11))
    guard octets[octets.count - 12] == UInt8(ascii: " "), times[5] == UInt8(ascii: "-"),
      let start = minute(times[..<5]), let end = minute(times[6...])
    else { return nil }
    var days: [NokeWeekday] = []
    let words = octets.dropLast(12).split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for word in words {
      guard let day = NokeWeekday.allCases.first(where: { $0.word.utf8.elementsEqual(word) }) else {
        return nil
      }
      days.append(day)
    }
    return NokeWindow(days: days, start: start, end: end)
  }

  /// Reads `HH:MM`, up to `24:00`.
  private static func minute(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.map { Int($0) - 48 }
    guard digits.count == 5, digits[2] == 10,
      [0, 1, 3, 4].allSatisfy({ (0..<10).contains(digits[$0]) })
    else { return nil }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
    guard minute < 60, hour < 24 || (hour == 24 && minute == 0) else { return nil }
    return hour * 60 + minute
  }
}
