import DiskFaults
import Foundation
import Glibc
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The beginning of the log is taken away, and what is left goes on from a signed record.
@Suite struct AuditArchiveTests {
  /// A vault with several closed segments.
  private static func vault(
    _ directory: LedgerTestVault? = nil, audit: (any AuditSource)? = nil
  ) throws -> CommitTestVault {
    let test = try CommitTestVault(
      directory, audit: audit, settings: AuditRotationTests.small)
    try test.publicKey("a")
    for _ in 0..<30 { try test.sign("a") }
    return test
  }

  /// The checkpoint that closes each segment but the last.
  static func closings(_ test: CommitTestVault) throws -> [AuditCheckpoint] {
    let directory = test.directory
    return try AuditRotationTests.segments(directory).filter { $0 != AuditPruneLog.fileName }
      .dropLast().map { name in
        let text = try Data(contentsOf: URL(filePath: directory.path + "/audit/" + name))
        let line = try #require(text.dropLast().split(separator: 10).last)
        return try #require(AuditCheckpoint(line: Array(line)))
      }
  }

  private static func prunes(_ directory: LedgerTestVault) throws -> AuditPruneLog {
    let path = directory.path + "/audit/" + AuditPruneLog.fileName
    return AuditPruneLog(text: Array((try? Data(contentsOf: URL(filePath: path))) ?? Data()))
  }

  /// Follows what is left: it begins at line 1, or behind one of the records.
  private func expectWhole(_ test: CommitTestVault, _ comment: String = "") throws {
    let log = try AuditLog(test)
    let begins = try Self.prunes(test.directory).entries.map(\.record.sequence)
    #expect(
      log.lines.first.map { $0.sequence == 1 || begins.contains($0.sequence - 1) } == true,
      "\(comment)")
  }

  @Test func `the segments up to a line go, and the rest is whole`() throws {
    let test = try Self.vault()
    let closings = try Self.closings(test)
    let names = try AuditRotationTests.segments(test.directory)
    let answer = try test.archive(closings[2])
    #expect(answer.value == 3)
    #expect(
      try AuditRotationTests.segments(test.directory)
        == Array(names.dropFirst(3)) + [AuditPruneLog.fileName])
    let entries = try Self.prunes(test.directory).entries
    #expect(entries.map(\.checkpoint) == Array(closings[...2]))
    try expectWhole(test)
    let line = try #require(try AuditLog(test).line(answer.sequence))
    #expect(line.method == "audit.archive" && line.outcome == "ok")
    let digest = Hex.encode(BLAKE2b.hash(closings[2].line.span).span)
    #expect(String(decoding: line.text, as: UTF8.self).contains(digest))

    let again = try test.restarted()
    #expect(again.damage == [])
    try again.sign("a")
    try expectWhole(again)
    #expect(try again.archive(closings[3]).value == 1)
    try expectWhole(again)
    // What was taken away is known still.
    try again.seal()
    for kept in closings[...3] { try again.unseal(checkpoint: kept); try again.seal() }
    try again.unseal()
    #expect(again.damage == [])
  }

  @Test func `when all but the newest segment go, and it has no checkpoint yet, the rest is whole`()
    throws
  {
    let test = try Self.vault()
    let closings = try Self.closings(test)
    #expect(try test.archive(try #require(closings.last)).value == closings.count)
    let again = try test.restarted()
    #expect(again.damage == [])
    try expectWhole(again)
    // The next checkpoint covers the text from the one that is in the records alone.
    again.vault.close()
    let directory = try LedgerTestVault(copying: test.directory)
    let names = try AuditRotationTests.segments(directory).filter { $0 != AuditPruneLog.fileName }
    let path = directory.path + "/audit/" + (names.first ?? "")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let bare = text.split(separator: "\n").filter { !$0.hasPrefix("{\"checkpoint\":") }
    try Data((bare.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    let reopened = try CommitTestVault(directory)
    #expect(reopened.damage == [])
    try expectWhole(reopened)
  }

  @Test func `what no closed segment ends with is refused, and nothing goes`() throws {
    let test = try Self.vault()
    let closings = try Self.closings(test)
    let names = try AuditRotationTests.segments(test.directory)
    var wrong = closings[1]
    wrong.head[5] ^= 1
    #expect(code { try test.archive(wrong) } == .conflict)
    for line in [closings[1].sequence - 1, closings[1].sequence + 1, 1 << 53] {
      var other = closings[1]
      other.sequence = line
      #expect(code { try test.archive(other) } == .conflict)
    }
    // The end of the log is a checkpoint too, and the segment is still written.
    #expect(code { try test.archive(try test.checkpoint().value) } == .conflict)
    #expect(try AuditRotationTests.segments(test.directory).starts(with: names))
    #expect(
      try AuditLog(test).lines.count { $0.method == "audit.archive" && $0.code == "conflict" } == 5)
    try test.seal()
    #expect(code { try test.archive(closings[1]) } == .sealed)
  }

  @Test func `a segment whose end was changed is not taken for closed`() throws {
    let test = try Self.vault()
    let closings = try Self.closings(test)
    let names = try AuditRotationTests.segments(test.directory)
    let path = test.directory.path + "/audit/" + names[1]
    let text = try Data(contentsOf: URL(filePath: path))
    try (text + Data("x".utf8)).write(to: URL(filePath: path))
    #expect(code { try test.archive(closings[1]) } == .conflict)
    #expect(try AuditRotationTests.segments(test.directory).starts(with: names))
  }

  @Test(arguments: [ENOSPC, EIO])
  func `whichever write of it fails, what is left is whole, and calling again ends it`(
    _ failure: Int32
  ) throws {
    var failed = true
    var count = 0
    while failed {
      let recorder = DiskRecorder()
      let directory = try LedgerTestVault(recorder: recorder)
      let test = try Self.vault(directory, audit: RecordedAudit(directory, recorder))
      let closings = try Self.closings(test)
      recorder.fail(.init(after: count, code: failure, isLasting: false) { $0.isOfSegment })
      let answer = code { try test.archive(closings[2]) }
      failed = recorder.failures > 0
      recorder.fail(nil)
      #expect(answer == nil || answer == .auditUnavailable || answer == .storageFull, "\(count)")
      try expectWhole(test, "write \(count)")
      if answer != nil {
        let left = try AuditRotationTests.segments(directory).contains("0000000001.jsonl")
        #expect(try test.archive(closings[2]).value >= (left ? 3 : 1), "write \(count)")
      }
      try expectWhole(test, "write \(count), again")
      #expect(try test.restarted().damage == [], "write \(count)")
      count += 1
    }
    #expect(count > 10)
  }

  @Test func `power loss at any moment of it leaves a log that is whole`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try Self.vault(directory, audit: RecordedAudit(directory, recorder))
    let closings = try Self.closings(test)
    let start = recorder.events.count
    try test.archive(closings[1])
    try test.archive(closings[2])
    test.vault.close()
    var image = DiskImage(directories: ["/tmp", directory.root])
    for (index, event) in recorder.events.enumerated() {
      image.apply(event)
      guard index >= start else { continue }
      for survival in [.none, .all, .random(seed: UInt64(index))] as [DiskImage.Survival] {
        let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
        try image.write(survival, below: directory.root, to: copy.root)
        let again = try CommitTestVault(copy, settings: AuditRotationTests.small)
        #expect(again.damage == [], "event \(index), \(survival)")
        try again.sign("a")
        try expectWhole(again, "event \(index), \(survival)")
      }
    }
  }
}
