import Foundation
import Testing
import WireCoding

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-01-15T08:30:00Z", 1_768_465_800),
    ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2038-01-19T03:14:08Z", 2_147_483_648),
  ])
  func `reads and writes known times`(text: String, seconds: Int64) throws {
    #expect(try Timestamp(text).seconds == seconds)
    #expect(Timestamp(seconds: seconds)?.description == text)
  }

  @Test(arguments: [
    "", "2026-01-15", "2026-01-15T08:30:00", "2026-01-15T08:30:00z", "2026-01-15t08:30:00Z",
    "2026-01-15 08:30:00Z", "2026-01-15T08:30:00+00:00", "2026-01-15T08:30:00.0Z",
    "2026-01-15T08:30:60Z", "2026-01-15T08:60:00Z", "2026-01-15T24:00:00Z", "2026-00-15T08:30:00Z",
    "2026-13-15T08:30:00Z", "2026-01-00T08:30:00Z", "2026-01-32T08:30:00Z", "2026-04-31T08:30:00Z",
    "2026-02-29T08:30:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
    "-026-01-15T08:30:00Z", "+026-01-15T08:30:00Z", "2026-1-015T08:30:00Z", "2026-01-15T08:30:0 Z",
    "12026-01-15T08:30:00Z", "2026-01-15T08:30:00Z ", "２026-01-15T08:30:0Z",
  ])
  func `refuses every other form, and days and times that do not exist`(text: String) {
    #expect(throws: WireCodingError.self) { try Timestamp(text) }
  }

  @Test func `agrees with Foundation on every day of the calendar's ten thousand years`() throws {
    // Foundation's Gregorian calendar changes to Julian dates before 1582, so earlier years are
    // checked against the 400-year cycle, which has 146,097 days.
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for year in stride(from: 1583, through: 9999, by: 7) {
      for month in 1...12 {
        let parts = DateComponents(year: year, month: month, day: 28, hour: 23, minute: 5)
        let date = try #require(calendar.date(from: parts))
        let text = pad(year, 4) + "-" + pad(month, 2) + "-28T23:05:00Z"
        #expect(try Timestamp(text).seconds == Int64(date.timeIntervalSince1970))
      }
    }
    for (early, late) in [(0, 2000), (100, 2100), (1200, 2400), (1581, 1981)] {
      for day in ["01-01", "02-28", "03-01", "12-31"] {
        let first = try Timestamp("\(pad(early, 4))-\(day)T00:00:00Z").seconds
        let last = try Timestamp("\(late)-\(day)T00:00:00Z").seconds
        #expect(last - first == Int64(late - early) / 400 * 146_097 * 86_400)
      }
    }
  }

  @Test func `every day of a 400-year cycle follows the one before, and is read back`() throws {
    var seconds = try Timestamp("1999-12-31T00:00:00Z").seconds
    let last = try Timestamp("2400-01-01T00:00:00Z").seconds
    var previous = ""
    var days = 0
    while seconds <= last {
      let time = Timestamp(clamping: seconds)
      let text = time.description
      guard text > previous, try Timestamp(text) == time else {
        Issue.record("\(previous) then \(text)")
        break
      }
      previous = text
      days += 1
      seconds += 86_400
    }
    #expect(days == 146_097 + 2)
    #expect(previous == "2400-01-01T00:00:00Z")
  }

  @Test func `clamps to what can be written`() {
    #expect(Timestamp(clamping: .max) == .latest)
    #expect(Timestamp(clamping: .min) == .earliest)
    #expect(Timestamp(seconds: Timestamp.latest.seconds + 1) == nil)
    #expect(Timestamp(seconds: Timestamp.earliest.seconds - 1) == nil)
  }

  private func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
