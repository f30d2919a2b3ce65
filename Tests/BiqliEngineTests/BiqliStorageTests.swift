import Testing
import WireCoding

@testable import BiqliEngine

/// The stored form of a record.
@Suite struct BiqliStorageTests {
  /// A record with everything that there can be.
  private func whole() throws -> BiqliRecord {
    var record = try Sample.record()
    record.publishableKey = try BiqliPublishableKey(Sample.key)
    record.put(try BiqliDeepLink("https://example.com/a"))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    let event = try record.begin(
      try Sample.fields(allowed: true), at: Sample.start, random: Sample.random(1)
    ).request.eventID
    _ = record.complete(event, with: try Sample.result(matchedBy: "exact_handoff"))
    record.put(try BiqliDeepLink("https://example.com/b"))
    record.put(try BiqliHandoffToken(Sample.token("b")))
    _ = try record.begin(
      try Sample.fields(allowed: true), at: Sample.start, random: Sample.random(2))
    return record
  }

  @Test func `each part may be there or not`() throws {
    let whole = try whole()
    for parts in 0..<256 {
      var record = whole
      if parts & 1 == 0 { record.publishableKey = nil }
      if parts & 2 == 0 { record.instanceID = nil }
      if parts & 4 == 0 { record.windowStart = nil }
      if parts & 8 == 0 { record.isCompleted = false }
      if parts & 16 == 0 { record.cachedResult = nil }
      if parts & 32 == 0 { record.link = nil }
      if parts & 64 == 0 { record.token = nil }
      if parts & 128 == 0 { record.pending = nil }
      let stored = try record.octets()
      #expect(stored[5] == UInt8(parts))
      #expect(try decode(stored) == record)
    }
  }

  @Test func `the largest request is made and stored as a whole`() throws {
    var record = try Sample.record()
    // Each of these is two octets in JSON.
    let version = String(repeating: "\\", count: BiqliRequestFields.maximumVersionCount)
    let host = String(repeating: "abcdefghi.", count: 25) + "abc"
    let start = "https://" + host + "/"
    record.put(
      try BiqliDeepLink(
        start + String(repeating: "x", count: BiqliDeepLink.maximumCount - start.utf8.count)))
    record.put(try BiqliHandoffToken(Sample.token("a")))
    for _ in 0..<2 {
      let request = try record.begin(
        BiqliRequestFields(
          platform: .android, isProbabilisticAllowed: false, domain: BiqliDomain(host),
          appVersion: version, osVersion: version, sdkVersion: version),
        at: Sample.start, random: Sample.random(1)
      ).request
      let parts = [
        record.link?.text, record.token?.text, #""domain":"\#(host)""#, version + version,
      ]
      for case let part? in parts { #expect(request.text.contains(part)) }
      #expect(request.text.hasSuffix(#""occurredAt":"2026-01-05T08:00:00Z"}"#))
      #expect(try decode(record.octets()) == record)
      // Without a link the given domain stands in its place.
      record.link = nil
      record.pending = nil
    }
  }

  @Test func `a part of it, or more, does not decode`() throws {
    let stored = try whole().octets()
    for count in stored.indices {
      #expect(throws: BiqliError.damaged) { _ = try decode(Array(stored[..<count])) }
    }
    #expect(throws: BiqliError.damaged) { _ = try decode(stored + [0]) }
  }

  @Test func `another octet does not decode, or means another record`() throws {
    let record = try whole()
    let stored = try record.octets()
    for index in stored.indices {
      for value: UInt8 in [0, 1, 32, 65, 122, 127, 128, 255] where value != stored[index] {
        var changed = stored
        changed[index] = value
        guard let other = try? decode(changed) else { continue }
        #expect(try other != record && other.octets() == changed)
      }
    }
  }

  @Test func `a receipt in a stored result is damage`() throws {
    let record = try whole()
    let json = try #require(record.cachedResult?.json)
    let poisoned = Array(#"{"attributionReceipt":"canary","#.utf8) + json.dropFirst()
    let stored = try record.octets()
    let place = try #require(stored.firstRange(of: json))
    let prefix = [0, 0, UInt8(poisoned.count >> 8), UInt8(poisoned.count & 0xFF)]
    let changed =
      Array(stored[..<(place.lowerBound - 4)]) + prefix + poisoned
      + Array(stored[place.upperBound...])
    #expect(throws: BiqliError.damaged) { _ = try decode(changed) }
  }
}
