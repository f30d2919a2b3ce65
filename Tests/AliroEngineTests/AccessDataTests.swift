import Testing
import WireCoding

@testable import AliroEngine

/// What access data says, in words (section 13).
///
/// Values were encoded with cbor2 from what stands beside them; the malformed ones by hand.
@Suite struct AccessDataTests {
  private static func data(_ text: String) -> AccessData? {
    (try? CBORDecoder.decode(hexOctets(text))).flatMap { AccessData($0) }
  }

  @Test func `reads the element of the vectors`() throws {
    let document = try AccessDocument(Vector.all.accessDocument.document.hex)
    #expect(
      document.summary == [
        AccessSummary(
          element: "floor1", identifier: Array("user-0042".utf8),
          rules: ["unsecure and momentary unsecure, in schedule 1"],
          schedules: ["weekdays 00:00–10:00 UTC, from 2026-01-01 00:00 until 2027-01-01 00:00"],
          readerRuleIdentifiers: [])
      ])
    let data = try #require(document.elements.first?.data)
    #expect(data.version == 0)
    #expect(!data.hasAccessExtensions)
  }

  @Test func `describes every element, also one that is no access data`() throws {
    let document = try AccessDocument(Vector.documents.access.hex)
    let unknown = "not access data that this vault understands"
    #expect(document.summary.map(\.element) == ["office", "greeting", "gate", "gate"])
    #expect(document.summary.map(\.identifier) == [Array("user-0042".utf8), nil, [], nil])
    #expect(
      document.summary.map(\.rules) == [
        [
          "unsecure and toggle, in schedule 1", "secure, without a schedule",
          "secure, unsecure, toggle, momentary unsecure, extended momentary unsecure and payment, "
            + "in schedules 1 and 2, except in schedule 2",
        ], [unknown], ["unsecure, without a schedule"], [unknown],
      ])
    #expect(
      document.summary[0].schedules == [
        "weekdays 08:00–18:00 local time, from 2026-01-05 08:00 until 2026-06-30 18:00",
        "from 2026-01-05 08:00 on UTC",
      ])
    #expect(document.summary[0].readerRuleIdentifiers == [7, 65_535])
    #expect(document.summary.dropFirst().allSatisfy { $0.schedules.isEmpty })
  }

  /// Words of `{0: #6.1 start, 2: [duration, mask, pattern, interval, ordinal]}`, start 2026-01-05
  /// 08:00.
  @Test(
    arguments: [
      // Daily, with and without days.
      ([36000, 0, 1, 1, 0], "every day 08:00–18:00"),
      ([36000, 0, 1, 3, 0], "every 3 days 08:00–18:00"),
      ([36000, 0x60, 1, 1, 0], "weekends 08:00–18:00"),
      // Weekly.
      ([3600, 0x1F, 2, 1, 0], "weekdays 08:00–09:00"),
      ([3600, 0x7F, 2, 1, 0], "every day 08:00–09:00"),
      ([3661, 0x01, 2, 1, 0], "Mondays 08:00–09:01:01"),
      ([3600, 0x15, 2, 2, 0], "every 2 weeks on Mondays, Wednesdays and Fridays 08:00–09:00"),
      // Over midnight, and longer than a day.
      ([57600, 0x40, 2, 1, 0], "Sundays 08:00–00:00 (next day)"),
      ([72000, 0x03, 2, 1, 0], "Mondays and Tuesdays 08:00–04:00 (next day)"),
      ([86400, 0x01, 2, 1, 0], "Mondays from 08:00 for 24 h"),
      ([131_400, 0x01, 2, 1, 0], "Mondays from 08:00 for 36 h 30 min"),
      // Monthly.
      ([3600, 0x02, 3, 1, 2], "on the second Tuesday of every month 08:00–09:00"),
      ([3600, 0x10, 3, 3, -1], "on the last Friday of every 3 months 08:00–09:00"),
      ([3600, 0x1F, 3, 1, 1], "on the first weekday of every month 08:00–09:00"),
      ([3600, 0, 3, 1, 9], "on the 9th day of every month 08:00–09:00"),
      ([3600, 0, 5, 1, 122], "on the 122nd day of the year, every year 08:00–09:00"),
      ([3600, 0, 5, 1, 211], "on the 211th day of the year, every year 08:00–09:00"),
      ([3600, 0, 5, 1, -2], "on the 2nd last day of the year, every year 08:00–09:00"),
      ([3600, 0, 4, 1, 15], "on day 15 of every month 08:00–09:00"),
      ([3600, 0x4000_4001, 4, 1, 0], "on days 1, 15 and 31 of every month 08:00–09:00"),
      ([3600, 0, 4, 1, 31], "on day 31 of every month 08:00–09:00"),
      ([3600, 0, 4, 1, -1], "on the last day of every month 08:00–09:00"),
      ([3600, 0, 4, 1, 0], "on no day of every month 08:00–09:00"),
      // Yearly.
      ([3600, 0x80 | 0x01, 5, 1, 1], "on the first Monday of January, every year 08:00–09:00"),
      ([3600, 0x40080, 6, 2, 24], "on day 24 of January and December, every 2 years 08:00–09:00"),
      ([3600, 0x1F, 7, 1, 42], "in week 42 of every year on weekdays 08:00–09:00"),
      (
        [3600, 0x1F | 0x100, 8, 1, 2], "in week 2 of February, every year, on weekdays 08:00–09:00"
      ),
      ([3600, 0x1F, 7, 1, -1], "in the last week of every year on weekdays 08:00–09:00"),
    ] as [([Int64], String)])
  func `says how a schedule recurs`(fields: [Int64], words: String) throws {
    let start = time("2026-01-05T08:00:00Z")
    let recurrence = try #require(AccessRecurrence(Self.list(fields)))
    #expect(recurrence.words(startingAt: start) == words)
  }

  /// Weekdays are bits 0 to 6 of the mask, months 7 to 18.
  @Test(
    arguments: [
      ("Mondays of a month", 0x01, 3, 5), ("two weekdays of a month", 0x03, 3, 10),
      ("weekdays of a month", 0x1F, 3, 23), ("days of a month", 0, 3, 31),
      ("dates of a month", 0, 4, 31), ("Mondays of a year", 0x01, 5, 53),
      ("days of a year", 0x7F, 5, 366), ("Mondays of January", 0x81, 5, 5),
      ("days of February", 0x100, 5, 29), ("dates of February", 0x100, 6, 29),
      ("dates of February and April", 0x500, 6, 30), ("dates of a year", 0, 6, 366),
      ("weeks of a year", 0x1F, 7, 53), ("weeks of a month", 0x9F, 8, 6),
      ("weeks of no month", 0x1F, 8, 53),
    ] as [(String, Int64, Int64, Int64)])
  func `an ordinal counts only what a calendar has`(
    name: String, mask: Int64, pattern: Int64, most: Int64
  ) {
    func isRead(_ ordinal: Int64) -> Bool {
      AccessRecurrence(Self.list([3600, mask, pattern, 1, ordinal])) != nil
    }
    for ordinal in [1, most, -1, -most] { #expect(isRead(ordinal)) }
    for ordinal in [most + 1, -most - 1, .max, .min] { #expect(!isRead(ordinal)) }
    // Only of dates in a month can the mask tell which.
    #expect(isRead(0) == (pattern == 4))
  }

  @Test func `a day from midnight on is all day`() throws {
    let recurrence = try #require(AccessRecurrence(Self.list([86400, 0x60, 2, 1, 0])))
    #expect(recurrence.words(startingAt: time("2026-01-05T00:00:00Z")) == "weekends all day")
  }

  @Test(
    arguments: [
      [], [1, 2, 2, 1], [1, 2, 2, 1, 0, 0], [-1, 1, 2, 1, 0], [1, -1, 2, 1, 0], [1, 1, 0, 1, 0],
      [1, 1, 9, 1, 0], [1, 1, 2, 0, 0], [1, 1, 2, 256, 0],
    ] as [[Int64]])
  func `a recurrence of another form is not guessed at`(fields: [Int64]) {
    #expect(AccessRecurrence(Self.list(fields)) == nil)
  }

  @Test func `no number of a recurrence traps`() {
    let extremes: [Int64] = [.min, -1, 0, 1, 255, 86_399, 86_400, .max]
    for duration in extremes {
      for ordinal in extremes {
        for pattern: Int64 in 1...8 {
          let fields = Self.list([duration, .max, pattern, 255, ordinal])
          _ = AccessRecurrence(fields)?.words(startingAt: .latest)
          _ = AccessRecurrence(fields)?.words(startingAt: .earliest)
        }
      }
    }
  }

  @Test func `an older recurrence is named as such`() throws {
    // {0: 0, 3: [{0: #6.1(1767600000), 1: #6.1(1798761600), 2: b"\x01\x02"}]}
    let data = try #require(Self.data("a200000381a300c11a695b6f80 01c11a6b36ec80 02420102"))
    #expect(
      data.schedules.map(\.words) == [
        "at times in a form that this vault does not read, from 2026-01-05 08:00 "
          + "until 2027-01-01 00:00 local time"
      ])
  }

  @Test func `a recurrence that no calendar has is not put into words`() throws {
    // {0: 0, 3: [{0: #6.1(1767600000), 2: [3600, 0, 6, 1, 2**63 - 1]}]}
    let data = try #require(
      Self.data("a200000381a200c11a695b6f80 0285190e10 00 06 01 1b7fffffffffffffff"))
    #expect(
      data.schedules.map(\.words) == [
        "at times in a form that this vault does not read, from 2026-01-05 08:00 on local time"
      ])
  }

  @Test func `times beyond the calendar are held to it`() throws {
    // {0: 0, 3: [{0: #6.1(-2**63), 1: #6.1(2**63 - 1), 3: 1}]}
    let data = try #require(
      Self.data("a200000381a300c13b7fffffffffffffff01c11b7fffffffffffffff0301"))
    #expect(data.schedules.map(\.words) == ["from 0000-01-01 00:00 until 9999-12-31 23:59:59 UTC"])
    #expect(data.schedules[0].mayHold(from: .earliest, until: .latest))
  }

  @Test(arguments: [
    ("a10000", "version alone"), ("a2000006a0", "an extension"), ("a200190100 0480", "version 256"),
    ("a3000001500102030405060708090a0b0c0d0e0f10 18630a", "16 octets of identifier, another key"),
    ("a200000281a10000", "a rule for nothing"),
    ("a20000038 8" + String(repeating: "a100c100", count: 8), "8 schedules"),
    ("a20000048200 19ffff", "reader rules"),
  ])
  func `reads all that the notes allow`(text: String, name: String) {
    #expect(Self.data(text) != nil)
  }

  @Test(arguments: [
    ("a0", "nothing"), ("80", "a list"), ("6161", "text"), ("a10100", "no version"),
    ("a10020", "a negative version"), ("a2000001510102030405060708090a0b0c0d0e0f1011", "17 octets"),
    ("a200000161 61", "a text for an identifier"), ("a2000002a0", "rules that are no list"),
    ("a20000028101", "a rule that is no map"), ("a200000281a10101", "a rule without capabilities"),
    ("a200000281a2000201f6", "bits that are no number"),
    ("a200000381a0", "a schedule without start"),
    ("a200000381a10000", "a start that is no time"),
    ("a200000381a200c10001f6", "an end that is no time"),
    ("a200000381a200c1000320", "negative flags"), ("a200000381a100c1f90000", "a start in halves"),
    ("a2000003 89" + String(repeating: "a100c100", count: 9), "9 schedules"),
    ("a2000004811a00010000", "a reader rule above 65535"),
    ("a2000004 00", "reader rules that are no list"),
  ])
  func `what breaks a rule is not access data`(text: String, name: String) throws {
    _ = try CBORDecoder.decode(hexOctets(text))
    #expect(Self.data(text) == nil)
  }

  @Test func `a rule says what it does not know`() throws {
    // {0: 0, 2: [{0: 0}, {0: 0x142, 1: 4}, {0: 2, 1: 2**63, 2: 1}], 3: [{0: #6.1(0)}], 6: {}}
    let data = try #require(
      Self.data(
        "a40000 0283 a10000 a200190142 0104 a30002 011b8000000000000000 0201 0381a100c100 06a0"))
    let element = AccessElement(name: "door", data: data)
    #expect(
      element.summary.rules == [
        "nothing, without a schedule",
        "unsecure and something unknown (140), in a schedule that is not there",
        "unsecure, in a schedule that is not there, except in schedule 1",
        "what an extension of a vendor says, which this vault does not read",
      ])
    #expect(element.summary.schedules == ["from 1970-01-01 00:00 on local time"])
    #expect(data.couldOpen(from: .earliest, until: .latest))
  }

  @Test func `no change to an octet of access data traps`() {
    let octets = hexOctets(
      "a500000149757365722d303034320281a3000a01010200 0381a400c11a6955b90001c11a6b36ec8002851 98ca0181f0201000301 048107"
    )
    for index in octets.indices {
      for octet in UInt8.min...UInt8.max {
        var changed = octets
        changed[index] = octet
        guard let item = try? CBORDecoder.decode(changed), let data = AccessData(item) else {
          continue
        }
        _ = AccessElement(name: "", data: data).summary
        _ = data.couldOpen(from: someDay, until: .latest)
      }
    }
  }

  private static func list(_ fields: [Int64]) -> CBORItem {
    let items = fields.map { field in
      CBORItem(
        content: field < 0 ? .negative(UInt64(-1 - field)) : .unsigned(UInt64(field)),
        encoding: 0..<0)
    }
    return CBORItem(content: .array(items), encoding: 0..<0)
  }
}
