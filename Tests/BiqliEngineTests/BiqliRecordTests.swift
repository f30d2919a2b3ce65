import Testing
import WireCoding

@testable import BiqliEngine

/// The promises about a record, one by one; `BiqliOracleTests` goes through long histories.
@Suite struct BiqliRecordTests {
  private let link = "https://example.com/a"
  private let later = Sample.start + 60

  private func stored(_ record: BiqliRecord) throws -> BiqliRecord { try decode(record.octets()) }

  // MARK: Opening

  @Test func `another marker is another installation, of which nothing is old`() throws {
    let app = try BiqliAppID(Sample.app)
    let key = try BiqliPublishableKey(Sample.key)
    let first = try BiqliRecord.open(
      nil, marker: try Sample.marker(1), appID: app, publishableKey: key)
    #expect(first.opening == .created && first.record.publishableKey == key)
    var record = first.record
    _ = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(1))
    record.put(try BiqliDeepLink(link))
    let same = try BiqliRecord.open(
      record, marker: try Sample.marker(1), appID: app, publishableKey: nil)
    #expect(same.opening == .unchanged && same.record == record)
    let again = try BiqliRecord.open(
      record, marker: try Sample.marker(1), appID: app, publishableKey: key)
    #expect(again.opening == .unchanged && again.record == record)
    let other = try BiqliRecord.open(
      record, marker: try Sample.marker(2), appID: app, publishableKey: nil)
    let fresh = try Sample.record(marker: 2)
    #expect(other.opening == .reset && other.record == fresh)
  }

  @Test func `a new publishable key changes nothing else`() throws {
    var record = try Sample.record()
    _ = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(1))
    let key = try BiqliPublishableKey(Sample.key)
    let opened = try BiqliRecord.open(
      record, marker: record.marker, appID: record.appID, publishableKey: key)
    record.publishableKey = key
    #expect(opened.opening == .keyReplaced && opened.record == record)
  }

  @Test func `a record is one app's`() throws {
    let other = try BiqliAppID("biq_mapp_Z123456789ABCDEFGHJKMNPQRS")
    for marker: UInt8 in [1, 2] {
      #expect(throws: BiqliError.conflict("app_id")) {
        _ = try BiqliRecord.open(
          try Sample.record(), marker: try Sample.marker(marker), appID: other, publishableKey: nil)
      }
    }
  }

  @Test func `an installation has one name`() throws {
    var record = try Sample.record()
    let name = record.instance(random: .init(repeating: 1))
    #expect(record.instance(random: .init(repeating: 2)) == name)
    let begun = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(3))
    #expect(begun.request.text.contains(#""appInstanceId":"\#(name)""#))
    #expect(record.instanceID == name)
  }

  // MARK: Requests

  @Test func `a request says what is known, and leaves out what is not`() throws {
    var record = try Sample.record()
    var random = Sample.random(0)
    var (beginning, request) = try record.begin(
      try Sample.fields(allowed: true, appVersion: nil), at: Sample.start, random: random)
    #expect(beginning == .new && request == record.pending && request.attempts == 1)
    #expect(
      request.text
        == #"{"eventId":"open_55555555555545559555555555555555","appId":"\#(Sample.app)","#
        + #""appInstanceId":"install_00000000000040008000000000000000","platform":"ios","#
        + #""firstOpen":true,"probabilisticAllowed":true,"osVersion":"19.1","sdkVersion":"1.0.0","#
        + #""occurredAt":"2026-01-05T08:00:00Z"}"#)
    #expect(request.requestID.description == "req_aaaaaaaaaaaa4aaaaaaaaaaaaaaaaaaa")
    record.put(try BiqliDeepLink("https://Link.example:443/?q='"))
    record.put(try BiqliHandoffToken(Sample.token("t")))
    random = Sample.random(1)
    (beginning, request) = try record.begin(
      try Sample.fields(domain: "attribution.example"), at: later, random: random)
    #expect(beginning == .replaced)
    #expect(
      request.text.contains(
        #""probabilisticAllowed":false,"handoffToken":"\#(Sample.token("t"))","#
          + #""deepLink":"https://Link.example:443/?q='","domain":"link.example","appVersion":"1.2""#
      ))
    record.link = nil
    record.pending = nil
    request =
      try record.begin(
        try Sample.fields(domain: "Attribution.example"), at: later, random: random
      ).request
    #expect(request.text.contains(#""domain":"attribution.example""#))
  }

  @Test func `the same request is given until it is settled, across restarts`() throws {
    var record = try Sample.record()
    let first = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(1))
      .request
    for round: UInt8 in 2...9 {
      record = try stored(record)
      let fields = try Sample.fields(allowed: true, domain: "x.y", appVersion: "\(round)")
      let (beginning, request) = try record.begin(
        fields, at: Sample.start + Int64(round) * 3600, random: Sample.random(round))
      #expect(beginning == .resumed && request == record.pending)
      #expect(request.eventID == first.eventID && request.requestID == first.requestID)
      #expect(request.body == first.body && request.madeAt == first.madeAt)
      #expect(request.attempts == UInt32(round))
    }
  }

  @Test func `attempts stay at their largest value`() throws {
    var record = try Sample.record()
    _ = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(1))
    record.pending?.attempts = .max
    let begun = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(2))
    #expect(begun.beginning == .resumed && begun.request.attempts == .max)
  }

  @Test func `a link or token that came since makes a new request, and an equal one does not`()
    throws
  {
    var record = try Sample.record()
    record.put(try BiqliDeepLink(link))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    let first = try record.begin(try Sample.fields(), at: Sample.start, random: Sample.random(1))
      .request
    record.put(try BiqliDeepLink(link))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    #expect(begin(&record, 2).beginning == .resumed)
    record.put(try BiqliDeepLink(link + "b"))
    let second = begin(&record, 3)
    #expect(second.beginning == .replaced && second.request.eventID != first.eventID)
    #expect(second.request.link == record.link && second.request.token == record.token)
    #expect(begin(&record, 4).beginning == .resumed)
    record.put(try BiqliHandoffToken(Sample.token("b")))
    #expect(begin(&record, 5).beginning == .replaced)
    #expect(begin(&record, 6).beginning == .resumed)
  }

  private func begin(
    _ record: inout BiqliRecord, _ octet: UInt8, allowed: Bool = false, at time: Timestamp? = nil
  ) -> (beginning: BiqliBeginning, request: BiqliPendingRequest) {
    do {
      let fields = try Sample.fields(allowed: allowed)
      return try record.begin(fields, at: time ?? later, random: Sample.random(octet))
    } catch {
      Issue.record(error)
      preconditionFailure("the sample is in order")
    }
  }

  @Test func `an agreement that was withdrawn is not claimed again`() throws {
    var record = try Sample.record()
    let first = begin(&record, 1, allowed: true).request
    #expect(begin(&record, 2, allowed: true).beginning == .resumed)
    let second = begin(&record, 3, allowed: false)
    #expect(second.beginning == .consentWithdrawn && second.request.eventID != first.eventID)
    #expect(second.request.text.contains(#""probabilisticAllowed":false"#))
    // One that was given since does not change what is stored.
    #expect(begin(&record, 4, allowed: true).beginning == .resumed)
  }

  @Test func `a request is not sent again after seven days`() throws {
    var record = try Sample.record()
    let first = begin(&record, 1, at: Sample.start).request
    let last = Sample.start + BiqliRecord.pendingLifetime
    #expect(begin(&record, 2, at: last + -1).beginning == .resumed)
    let second = begin(&record, 3, at: last)
    #expect(second.beginning == .expired && second.request.eventID != first.eventID)
    #expect(second.request.madeAt == last && second.request.text.contains(#""firstOpen":false"#))
    #expect(record.complete(first.eventID, with: try Sample.result()) == .stale)
  }

  // MARK: Answers

  @Test func `a match is kept, closes first open, and takes token and link away`() throws {
    var record = try Sample.record()
    record.put(try BiqliDeepLink(link))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    let event = begin(&record, 1).request.eventID
    let result = try Sample.result(matchedBy: "exact_handoff")
    #expect(record.complete(event, with: result) == .matched)
    #expect(record.pending == nil && record.link == nil && record.token == nil)
    #expect(record.isCompleted && record.cachedResult == result)
    #expect(record.window(at: later) == .closed && record.cached(at: later) == result)
    #expect(begin(&record, 2).request.text.contains(#""firstOpen":false"#))
  }

  @Test func `no match takes away the token that was sent, and leaves first open open`() throws {
    var record = try Sample.record()
    record.put(try BiqliHandoffToken(Sample.token("a")))
    let event = begin(&record, 1).request.eventID
    #expect(record.complete(event, with: try Sample.result()) == .unmatched)
    #expect(record.pending == nil && record.token == nil && record.cachedResult == nil)
    #expect(!record.isCompleted)
    let next = begin(&record, 2)
    #expect(next.beginning == .new && next.request.eventID != event)
    #expect(next.request.text.contains(#""firstOpen":true"#))
  }

  @Test func `a link or token that came while a request was sent is not taken away`() throws {
    for matchedBy in ["none", "exact_app_link"] {
      for wasSent in [false, true] {
        var record = try Sample.record()
        if wasSent {
          record.put(try BiqliDeepLink(link))
          record.put(try BiqliHandoffToken(Sample.token("a")))
        }
        let event = begin(&record, 1).request.eventID
        record.put(try BiqliDeepLink(link + "b"))
        record.put(try BiqliHandoffToken(Sample.token("b")))
        _ = record.complete(event, with: try Sample.result(matchedBy: matchedBy))
        #expect(record.link?.text == link + "b")
        // A match is what tokens are for: none is of use after it.
        #expect(record.token?.text == (matchedBy == "none" ? Sample.token("b") : nil))
      }
    }
  }

  @Test func `a late answer of an old event changes nothing`() throws {
    var record = try Sample.record()
    let old = begin(&record, 1).request.eventID
    record.put(try BiqliDeepLink(link))
    let new = begin(&record, 2).request.eventID
    let match = try Sample.result(matchedBy: "exact_app_link")
    let refusal = try BiqliFailure(status: 404, code: "resource_not_found")
    for _ in 0..<2 {
      let before = record
      #expect(record.complete(old, with: match) == .stale)
      #expect(record.fail(old, refusal) == .stale)
      let isDropped = record.dropPending(old)
      #expect(!isDropped)
      #expect(record == before)
      _ = record.complete(new, with: match)
    }
    let settled = record
    #expect(record.complete(new, with: try Sample.result()) == .stale)
    #expect(record.fail(new, refusal) == .stale && record == settled)
  }

  @Test func `a later match takes the place of the first`() throws {
    var record = try Sample.record()
    _ = record.complete(
      begin(&record, 1).request.eventID, with: try Sample.result(matchedBy: "exact_handoff"))
    let second = try Sample.result(matchedBy: "probabilistic")
    _ = record.complete(begin(&record, 2).request.eventID, with: second)
    #expect(record.cachedResult == second)
    _ = record.complete(begin(&record, 3).request.eventID, with: try Sample.result())
    #expect(record.cachedResult == second)
  }

  @Test(
    arguments: [
      (nil, .kept), (300, .dropped), (400, .dropped), (401, .dropped), (404, .dropped),
      (407, .dropped),
      (408, .kept), (409, .dropped), (424, .dropped), (425, .kept), (426, .dropped),
      (428, .dropped),
      (429, .kept), (430, .dropped), (499, .dropped), (500, .kept), (503, .kept), (599, .kept),
    ] as [(Int?, BiqliFailureReport)])
  func `a final refusal settles the event, another failure does not`(
    status: Int?, report: BiqliFailureReport
  ) throws {
    for code in [nil, "resource_not_found", "handoff_mismatch", "other"] {
      var record = try Sample.record()
      record.put(try BiqliDeepLink(link))
      record.put(try BiqliHandoffToken(Sample.token("a")))
      let event = begin(&record, 1).request.eventID
      let before = record
      #expect(record.fail(event, try BiqliFailure(status: status, code: code)) == report)
      guard report == .dropped else {
        #expect(record == before)
        continue
      }
      #expect(record.pending == nil && !record.isCompleted)
      #expect((record.token == nil) == (code == "resource_not_found"))
      #expect((record.link == nil) == (code == "handoff_mismatch"))
    }
  }

  @Test func `a refusal takes away only what was sent`() throws {
    for code in ["resource_not_found", "handoff_mismatch"] {
      var record = try Sample.record()
      let event = begin(&record, 1).request.eventID
      record.put(try BiqliDeepLink(link))
      record.put(try BiqliHandoffToken(Sample.token("a")))
      #expect(record.fail(event, try BiqliFailure(status: 404, code: code)) == .dropped)
      #expect(record.link != nil && record.token != nil)
    }
  }

  @Test func `an operator drops the pending request, and what waits stays`() throws {
    var record = try Sample.record()
    record.put(try BiqliDeepLink(link))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    let event = begin(&record, 1).request.eventID
    let isDropped = record.dropPending(event)
    #expect(isDropped && record.pending == nil && record.link != nil && record.token != nil)
    let isDroppedAgain = record.dropPending(event)
    #expect(!isDroppedAgain)
    #expect(begin(&record, 2).beginning == .new)
  }

  // MARK: The window

  @Test func `the window begins when it is asked for, and is over after 24 hours for good`() throws
  {
    var record = try Sample.record()
    record.expire(at: later)
    #expect(record.windowStart == nil && !record.isCompleted)
    let end = Sample.start + 86_400
    #expect(record.window(at: Sample.start) == .open(until: end))
    #expect(record.window(at: end + -1) == .open(until: end))
    #expect(record.windowStart == Sample.start)
    #expect(record.window(at: end) == .closed && record.isCompleted)
    #expect(record.window(at: Sample.start) == .closed)
    #expect(record.cached(at: end) == nil)
  }

  @Test func `housekeeping closes windows and touches nothing else`() throws {
    var record = try Sample.record()
    record.put(try BiqliHandoffToken(Sample.token("a")))
    _ = begin(&record, 1, at: Sample.start)
    let before = record
    record.expire(at: Sample.start + 86_399)
    #expect(record == before)
    record.expire(at: .latest)
    #expect(record.isCompleted && record.pending == before.pending && record.token == before.token)
    #expect(begin(&record, 2).beginning == .resumed)
  }

  @Test func `a clock that was ahead neither traps nor keeps the window open`() throws {
    var record = try Sample.record()
    #expect(record.window(at: .latest) == .open(until: .latest))
    let end = Sample.start + 86_400
    #expect(record.window(at: Sample.start) == .open(until: end))
    record = try stored(record)
    #expect(record.windowStart == Sample.start)
    #expect(record.window(at: end + -1) == .open(until: end))
    #expect(record.window(at: end) == .closed)
    // Housekeeping sees it as well, and what is closed stays as it is.
    record = try Sample.record()
    _ = record.window(at: .latest)
    record.expire(at: Sample.start)
    #expect(record.windowStart == Sample.start && !record.isCompleted)
    record.expire(at: end)
    #expect(record.isCompleted)
    let closed = record
    record.expire(at: .earliest)
    #expect(record == closed)
  }

  @Test func `a request made by a clock that was ahead grows old from when that is seen`() throws {
    var record = try Sample.record()
    _ = begin(&record, 1, at: .latest)
    let resumed = begin(&record, 2, at: Sample.start)
    #expect(resumed.beginning == .resumed && resumed.request.madeAt == Sample.start)
    record = try stored(record)
    let last = Sample.start + BiqliRecord.pendingLifetime
    #expect(begin(&record, 3, at: last + -1).beginning == .resumed)
    #expect(begin(&record, 4, at: last).beginning == .expired)
  }

  @Test func `the last match is given only where no request is due`() throws {
    var record = try Sample.record()
    let match = try Sample.result(matchedBy: "exact_handoff")
    #expect(record.cached(at: later) == nil && record.windowStart == later)
    _ = record.complete(begin(&record, 1).request.eventID, with: match)
    #expect(record.cached(at: later) == match)
    let settled = record
    record.put(try BiqliDeepLink(link))
    #expect(record.cached(at: later) == nil)
    record = settled
    record.put(try BiqliHandoffToken(Sample.token("b")))
    #expect(record.cached(at: later) == nil)
    record = settled
    _ = begin(&record, 2)
    #expect(record.cached(at: later) == nil)
    record = settled
    record.isCompleted = false
    #expect(record.cached(at: later) == nil)
  }
}
