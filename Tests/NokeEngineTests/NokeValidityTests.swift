import Testing
import WireCoding

@testable import NokeEngine

/// When a grant may be used.
@Suite struct NokeValidityTests {
  private func time(_ text: String) throws -> Timestamp { try Timestamp(text) }

  private func schedule(_ windows: String..., offset: Int = 0) throws -> NokeSchedule {
    try NokeSchedule(windows: windows.map { try NokeWindow($0) }, utcOffsetMinutes: offset)
  }

  @Test func `holds from its first second to its last`() throws {
    let (first, last) = (try time("2026-01-05T08:00:00Z"), try time("2026-01-05T09:00:00Z"))
    let validity = try NokeValidity(notBefore: first, notAfter: last)
    #expect(validity.standing(at: try time("2026-01-05T07:59:59Z")) == .notYetValid(from: first))
    #expect(validity.standing(at: first) == .allowed)
    #expect(validity.standing(at: last) == .allowed)
    #expect(validity.standing(at: try time("2026-01-05T09:00:01Z")) == .expired(at: last))
    #expect(NokeValidity.always.standing(at: .earliest) == .allowed)
    #expect(NokeValidity.always.standing(at: .latest) == .allowed)
    #expect(try NokeValidity(notBefore: first, notAfter: first).standing(at: first) == .allowed)
    #expect(throws: NokeError.parameter("not_after", due: "a time that is not before not_before")) {
      _ = try NokeValidity(notBefore: last, notAfter: first)
    }
  }

  /// 2026-01-05 is a Monday.
  @Test func `a window that passes midnight belongs to the day it begins on`() throws {
    let validity = try NokeValidity(schedule: try schedule("mon,fri 22:00-06:00"))
    let next = try time("2026-01-09T22:00:00Z")
    for allowed in [
      "2026-01-05T22:00:00Z", "2026-01-05T23:59:59Z", "2026-01-06T00:00:00Z",
      "2026-01-06T05:59:59Z", "2026-01-10T05:59:59Z",
    ] { #expect(validity.standing(at: try time(allowed)) == .allowed) }
    #expect(validity.standing(at: try time("2026-01-06T06:00:00Z")) == .outside(next: next))
    #expect(validity.standing(at: try time("2026-01-07T00:30:00Z")) == .outside(next: next))
    #expect(
      validity.standing(at: try time("2026-01-05T21:59:59Z"))
        == .outside(next: try time("2026-01-05T22:00:00Z")))
    #expect(
      validity.standing(at: try time("2026-01-10T06:00:00Z"))
        == .outside(next: try time("2026-01-12T22:00:00Z")))
  }

  @Test func `windows are of the schedule's clock`() throws {
    let ahead = try NokeValidity(schedule: try schedule("mon 00:00-24:00", offset: 840))
    #expect(ahead.standing(at: try time("2026-01-04T10:00:00Z")) == .allowed)
    #expect(
      ahead.standing(at: try time("2026-01-04T09:59:59Z"))
        == .outside(next: try time("2026-01-04T10:00:00Z")))
    #expect(
      ahead.standing(at: try time("2026-01-05T10:00:00Z"))
        == .outside(next: try time("2026-01-11T10:00:00Z")))
    let behind = try NokeValidity(schedule: try schedule("sun 23:59-24:00", offset: -720))
    #expect(behind.standing(at: try time("2026-01-05T11:59:59Z")) == .allowed)
    #expect(
      behind.standing(at: try time("2026-01-05T12:00:00Z"))
        == .outside(next: try time("2026-01-12T11:59:00Z")))
  }

  @Test func `no window is promised that begins after the end`() throws {
    let week = try schedule("mon 08:00-09:00")
    let last = try time("2026-01-12T07:59:59Z")
    let grant = try NokeValidity(notAfter: last, schedule: week)
    #expect(grant.standing(at: try time("2026-01-06T00:00:00Z")) == .outside(next: nil))
    let longer = try NokeValidity(notAfter: try time("2026-01-12T08:00:00Z"), schedule: week)
    #expect(
      longer.standing(at: try time("2026-01-06T00:00:00Z"))
        == .outside(next: try time("2026-01-12T08:00:00Z")))
    // 9999-12-31 is a Friday, and no Monday comes that could be written.
    let open = try NokeValidity(schedule: week)
    #expect(open.standing(at: .latest) == .outside(next: nil))
    #expect(open.standing(at: .earliest) != .allowed)
  }

  @Test(arguments: [
    "mon 00:00-00:01", "mon,tue,wed,thu,fri,sat,sun 00:00-24:00", "sat,sun 23:59-24:00",
    "sun 23:59-00:01", "tue 12:00-11:59",
  ])
  func `a window's text is the one it is written as`(text: String) throws {
    #expect(try NokeWindow(text).description == text)
  }

  @Test(arguments: [
    "", " ", "mon", "mon ", "mon 08:00", "mon 08:00-", "mon 8:00-09:00", "mon 08:00-9:00",
    "mon 08:00-08:00", "mon 08:00-00:00", "mon 24:00-08:00", "mon 08:00-24:01", "mon 08:00-25:00",
    "mon 08:60-09:00", "mon 08:00-09:60", "tue,mon 08:00-09:00", "mon,mon 08:00-09:00",
    "mon, tue 08:00-09:00", "mon,,tue 08:00-09:00", ",mon 08:00-09:00", "mon, 08:00-09:00",
    "Mon 08:00-09:00", "monday 08:00-09:00", "mo 08:00-09:00", "mon  08:00-09:00",
    " mon 08:00-09:00", "mon 08:00-09:00 ", "mon 08:00 -09:00", "mon 08.00-09.00",
    "mon 08:00–09:00", "mon-fri 08:00-09:00", " 08:00-09:00", "08:00-09:00",
    "mon 0:8:00-09:00", "mon 08:00-09:00\n", "mon,tue,wed,thu,fri,sat,sun,mon 08:00-09:00",
  ])
  func `refuses a window in another form`(text: String) {
    #expect(
      throws: NokeError.parameter("schedule[3]", due: "days and times such as mon,fri 22:00-06:00")
    ) { _ = try NokeWindow(text, field: "schedule[3]") }
  }

  @Test func `refuses too many windows, none, equal ones, and a clock of nowhere`() throws {
    let many = try (0..<33).map { try NokeWindow("mon 08:\($0 + 10)-09:00") }
    let most = try NokeSchedule(windows: Array(many.dropLast()), utcOffsetMinutes: 0)
    #expect(most.windows.count == 32)
    let refusal = NokeError.parameter("schedule", due: "1 to 32 windows, no two equal")
    for windows in [many, [], [many[0], many[1], many[0]]] {
      #expect(throws: refusal) { _ = try NokeSchedule(windows: windows, utcOffsetMinutes: 0) }
    }
    for offset in [-721, 841, .min, .max] {
      #expect(
        throws: NokeError.parameter("utc_offset_minutes", due: "an integer from -720 to 840")
      ) { _ = try NokeSchedule(windows: [many[0]], utcOffsetMinutes: offset) }
    }
  }

  @Test func `the stored form is read back, and nothing else is`() throws {
    let validity = try NokeValidity(
      notBefore: .earliest, notAfter: .latest,
      schedule: try schedule("mon,sun 22:00-06:00", "wed 00:00-24:00", offset: -720))
    let stored = validity.encoded
    #expect(try decode(stored) == validity)
    #expect(try decode(NokeValidity.always.encoded) == .always)
    for count in stored.indices {
      #expect(throws: NokeError.damaged) { _ = try decode(Array(stored[..<count])) }
    }
    #expect(throws: NokeError.damaged) { _ = try decode(stored + [0]) }
    // Another octet is either refused or means something else.
    for index in stored.indices {
      for value in UInt8.min...UInt8.max where value != stored[index] {
        var changed = stored
        changed[index] = value
        guard let other = try? decode(changed) else { continue }
        #expect(other != validity && other.encoded == changed)
      }
    }
  }

  private func decode(_ octets: [UInt8]) throws -> NokeValidity {
    try NokeValidity(encoded: octets.span)
  }
}
