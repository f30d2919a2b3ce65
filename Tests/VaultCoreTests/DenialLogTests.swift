import AccessPolicy
import Foundation
import Testing
import WireCoding

@testable import VaultCore

@Suite struct DenialLogTests {
  private static func subject(
    _ uid: UInt32 = 1000, pid: Int32 = 42, unit: String? = nil, by endpoint: Endpoint = .client
  ) -> AuditEntry.Subject {
    AuditEntry.Subject(
      Caller(uid: uid, gid: uid, groups: [], pid: pid, unit: unit), by: endpoint, policy: 7)
  }

  private static func entry(_ subject: AuditEntry.Subject = subject()) -> AuditEntry {
    var entry = AuditEntry("key.sign", by: subject)
    entry.code = .forbidden
    return entry
  }

  private func words(_ lines: [DenialLog.Line]) -> [String] {
    lines.map { line in
      let entry = line.entry
      let denials = entry.denials
      return [
        "\(entry.method)", entry.count.map { "\($0)" } ?? "",
        "\(denials.forbidden)/\(denials.malformed)/\(denials.rateLimited)",
      ].joined(separator: " ")
    }
  }

  @Test func `the first call of a second has its line, the others are counted`() {
    let log = DenialLog()
    let first = log.take(Self.entry(), .forbidden, at: 10, isSealed: false)
    #expect(words(first) == ["key.sign  0/0/0"])
    for kind in [DenialKind.forbidden, .malformed, .rateLimited, .malformed, .sealed] {
      #expect(log.take(Self.entry(), kind, at: 10, isSealed: false).isEmpty)
    }
    #expect(log.due(at: 10, isSealed: false).isEmpty)
    #expect(words(log.due(at: 11, isSealed: false)) == ["calls.refused 5 1/2/1"])
    #expect(log.all().isEmpty)
  }

  @Test func `a call of the next second brings the count of the last one with it`() {
    let log = DenialLog()
    for _ in 0..<3 { _ = log.take(Self.entry(), .forbidden, at: 10, isSealed: false) }
    let next = log.take(Self.entry(), .rateLimited, at: 11, isSealed: false)
    #expect(words(next) == ["calls.refused 2 2/0/0", "key.sign  0/0/0"])
    // Alone in its second, it leaves nothing to be counted.
    #expect(log.due(at: 12, isSealed: false).isEmpty)
  }

  @Test func `callers are told apart by user and unit, and by nothing else`() {
    let log = DenialLog()
    for subject in [
      Self.subject(), Self.subject(1001), Self.subject(unit: "a.service"),
      Self.subject(unit: "b.service"),
    ] {
      #expect(log.take(Self.entry(subject), .forbidden, at: 10, isSealed: false).count == 1)
    }
    for subject in [Self.subject(pid: 43), Self.subject(by: .admin)] {
      #expect(log.take(Self.entry(subject), .forbidden, at: 10, isSealed: false).isEmpty)
    }
    #expect(words(log.all()) == ["calls.refused 2 2/0/0"])
  }

  @Test func `a line says of its calls what they have in common`() throws {
    let log = DenialLog()
    let (one, other) = (Self.entry(), Self.entry(Self.subject(pid: 43, by: .admin)))
    for entry in [one, one, one] { _ = log.take(entry, .forbidden, at: 10, isSealed: false) }
    let alike = try #require(log.all().first).entry
    #expect(alike.subject == Self.subject())
    #expect(alike.code == nil && alike.reason == nil && alike.namespace == nil)
    for entry in [one, one, other] { _ = log.take(entry, .forbidden, at: 10, isSealed: false) }
    let several = try #require(log.all().first).entry.subject
    #expect(several.caller.uid == 1000 && several.caller.pid == 0)
    #expect(several.endpoint == nil && several.policy == 7)
    // What the line itself says is that they were refused.
    let line = AuditLine(entry: alike, sequence: 1, time: 0, previous: [])
    #expect(AuditField.outcome.value(in: line) == .text("refused"))
  }

  @Test func `however many callers there are, memory and lines are bounded`() {
    let log = DenialLog()
    var lines = 0
    for uid in 0..<10_000 as Range<UInt32> {
      for _ in 0..<3 {
        lines +=
          log.take(Self.entry(Self.subject(uid)), .forbidden, at: 10, isSealed: false).count
      }
    }
    #expect(lines == DenialLog.mostCallers)
    let due = log.due(at: 11, isSealed: false)
    #expect(due.count == DenialLog.mostCallers + 1)
    #expect(due.reduce(0) { $0 + $1.counts.total } + Int64(lines) == 30_000)
    let others = due.max { $0.counts.total < $1.counts.total }
    #expect(others?.entry.subject == .unknown)
  }

  @Test func `while sealed a caller has one line a minute`() {
    let log = DenialLog()
    var lines: [DenialLog.Line] = []
    for second in 0..<600 as Range<Int64> {
      for _ in 0..<5 { lines += log.take(Self.entry(), .sealed, at: second, isSealed: true) }
      lines += log.due(at: second, isSealed: true)
    }
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { $0.entry.method.description == "calls.refused" })
    lines += log.all()
    #expect(lines.reduce(0) { $0 + $1.counts.total } == 3_000)
  }

  @Test func `what was counted while sealed is told at once when the vault is open`() {
    let log = DenialLog()
    for _ in 0..<4 { #expect(log.take(Self.entry(), .sealed, at: 10, isSealed: true).isEmpty) }
    #expect(log.due(at: 12, isSealed: true).isEmpty)
    #expect(words(log.due(at: 12, isSealed: false)) == ["calls.refused 4 0/0/0"])
  }

  @Test func `a line that could not be written is counted again`() {
    let log = DenialLog()
    var lines = log.take(Self.entry(), .malformed, at: 10, isSealed: false)
    _ = log.take(Self.entry(), .forbidden, at: 10, isSealed: false)
    for second in 11..<20 as Range<Int64> {
      for line in lines { log.putBack(line, at: second) }
      lines = log.due(at: second + 1, isSealed: false)
      #expect(words(lines) == ["calls.refused 2 1/1/0"])
    }
  }
}
