import Foundation
import NokeEngine
import SecureMemory
import Testing
import WireCoding

@testable import VaultCore

/// The record of a lock: what it holds, and that nothing else opens.
@Suite struct NokeRecordTests {
  private func octets(_ record: NokeRecord) throws -> [UInt8] {
    try record.encode().withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  private func open(_ octets: [UInt8]) throws -> NokeRecord {
    try NokeRecord(opening: SecretBytes(copying: octets.span))
  }

  /// A record with everything in it.
  private func full() throws -> NokeRecord {
    let schedule = try NokeSchedule(
      windows: [NokeWindow("mon 08:00-17:00"), NokeWindow("fri,sat 22:00-06:00")],
      utcOffsetMinutes: -90)
    let validity = try NokeValidity(
      notBefore: Timestamp(clamping: 5), notAfter: Timestamp(clamping: 1 << 33), schedule: schedule)
    var record = NokeRecord(try TestPair(1).shared, validity, .production, at: 10)
    for number in 2...4 {
      let pair = try TestPair(UInt8(number)).shared
      _ = try record.store(pair, .always, .production, at: Int64(10 * number))
      if number < 4 { try record.promote(at: Int64(10 * number + 1)) }
    }
    for session in 0..<NokeRecord.useBound {
      let request = NokeUnlockRequest(
        session: try .number(session), embedsTime: session % 2 == 0,
        role: session % 4 == 0 ? .pending : nil, identifier: session % 3 == 0 ? "\(session)" : nil)
      record.note(
        NokeUse(
          user: 7, session: request.session.octets, generation: Int64(session % 4 + 1), time: 50,
          isEmbedded: request.embedsTime, role: request.role, request: request.identity(of: 7)))
    }
    _ = try record.report(.success, of: .number(2), at: 60)
    _ = try record.report(.wrongKey, of: .number(0), at: 60)
    return record
  }

  @Test func `what is written opens as the same record`() throws {
    let record = try full()
    let written = try octets(record)
    let read = try open(written)
    #expect(try octets(read) == written)
    #expect(read.uses == record.uses && read.newest == 4 && read.environment == .production)
    #expect(read.active.number == 3 && read.pending?.number == 4)
    #expect(read.former.map(\.number) == [2, 1] && read.former.map(\.isStale) == [false, true])
    #expect(read.former.map(\.retired) == [31, 21] && read.active.successes == 1)
    #expect(read.former[1].validity == record.former[1].validity)
    for (number, pair) in [(4, read.pending), (3, read.active), (1, read.former[1])] {
      let isSame = try pair?.pair.isEqual(to: TestPair(UInt8(number)).shared)
      #expect(isSame == true)
    }
    // The form of a first pair, octet by octet.
    let first = NokeRecord(try TestPair(7).shared, .always, .sandbox, at: 258)
    let form: [UInt8] =
      [1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 2, 1, 0]
      + TestPair(7).key + TestPair(7).command + [0, 0]
    #expect(try octets(first) == form)
  }

  @Test func `nothing but a whole record opens`() throws {
    let whole = try octets(full())
    for count in stride(from: 0, to: whole.count, by: 7) {
      #expect(code { _ = try open(Array(whole.prefix(count))) } == .damaged, "\(count)")
    }
    #expect(code { _ = try open(whole + [0]) } == .damaged)
    let first = try octets(NokeRecord(TestPair(7).shared, .always, .sandbox, at: 258))
    // Each octet before the secrets, and the count behind them, has few values that open.
    for place in Array(0..<26) + [first.count - 2, first.count - 1] {
      for value in [0, 1, 2, 3, 4, 0x7F, 0x80, 0xFF] as [UInt8] where first[place] != value {
        var other = first
        other[place] = value
        guard let read = try? open(other) else { continue }
        #expect(try octets(read) == other, "\(place) \(value)")
      }
    }
    // Format, environment, last number, number of pairs, role, number of the pair, stale.
    let wrong: [(Int, UInt8)] = [
      (0, 2), (1, 2), (5, 0), (6, 0), (6, 2), (7, 0), (7, 2), (7, 3), (11, 0), (11, 2), (20, 2),
    ]
    for (place, value) in wrong {
      var other = first
      other[place] = value
      #expect(code { _ = try open(other) } == .damaged, "\(place) \(value)")
    }
  }

  @Test func `no session, number or role stands in it twice`() throws {
    var record = try full()
    record.uses[3] = record.uses[4]
    #expect(code { _ = try open(octets(record)) } == .damaged)
    record = try full()
    record.pending = record.active
    #expect(code { _ = try open(octets(record)) } == .damaged)
    record = try full()
    record.newest = 3
    #expect(code { _ = try open(octets(record)) } == .damaged)
    record = try full()
    record.former += Array(repeating: record.former[0], count: NokeRecord.spareBound)
    #expect(code { _ = try open(octets(record)) } == .damaged)
  }

  @Test func `who asks for many packets makes the vault forget none but its own`() throws {
    var record = NokeRecord(try TestPair(1).shared, .always, .production, at: 10)
    func note(_ session: Int, by user: UInt32) throws {
      record.note(
        NokeUse(
          user: user, session: try NokeSession.number(session).octets, generation: 1, time: 50,
          isEmbedded: false, role: nil, request: nil))
    }
    for session in 0..<3 { try note(session, by: 1000) }
    for session in 3..<NokeRecord.useBound * 3 { try note(session, by: 1001) }
    let kept = record.uses.map(\.session)
    let first = NokeRecord.useBound * 2 + 3
    let due = try (Array(0..<3) + Array(first..<NokeRecord.useBound * 3)).map {
      try NokeSession.number($0).octets
    }
    #expect(kept == due)
    // With as many as somebody else, it is the caller's own that goes.
    for session in 10_000..<10_000 + NokeRecord.useBound / 2 { try note(session, by: 1000) }
    try note(20_000, by: 1001)
    let half = NokeRecord.useBound / 2
    #expect(record.uses.count { $0.user == 1000 } == half)
    #expect(record.uses.count { $0.user == 1001 } == half)
  }

  @Test(arguments: ["noke", "noke-full"])
  func `what the fuzzer begins with opens`(_ name: String) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/Corpus/record/\(name)")
    let content = Array(try Data(contentsOf: path).dropFirst())
    #expect(try octets(open(content)) == content)
  }
}
