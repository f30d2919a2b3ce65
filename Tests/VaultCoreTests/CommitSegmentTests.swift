import DiskFaults
import Foundation
import Glibc
import Testing
import WireCoding

@testable import VaultCore

@Suite struct CommitSegmentTests {
  /// A vault that was closed after some calls, with nothing left in its outbox.
  private static func vault() throws -> LedgerTestVault {
    let test = try CommitTestVault()
    try test.publicKey("a")
    for _ in 0..<3 { try test.sign("a") }
    test.vault.close()
    let directory = test.directory
    // As after a pause: the segment is durable, and the rows are gone.
    try directory.tamper("DELETE FROM audit_outbox")
    return directory
  }

  /// A vault that was closed after some calls, whose segment never became durable: the outbox has it
  /// all.
  private static func indebted() throws -> LedgerTestVault {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    recorder.fail(.init(after: 0, code: EIO) { $0.isOfSegment && $0.isSync && !$0.isOfDirectory })
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.publicKey("a")
    for _ in 0..<3 { try test.sign("a") }
    test.vault.close()
    #expect(recorder.failures > 0)
    return try LedgerTestVault(copying: directory)
  }

  private static func segment(_ directory: LedgerTestVault) -> String {
    directory.path + "/audit/0000000001.jsonl"
  }

  private static func read(_ directory: LedgerTestVault) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: segment(directory))))
  }

  private static func write(_ bytes: [UInt8], _ directory: LedgerTestVault) throws {
    try Data(bytes).write(to: URL(filePath: segment(directory)))
  }

  private static func segments(_ directory: LedgerTestVault) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path + "/audit").sorted()
  }

  /// Opens a tampered copy: it works, says what is wrong, records that, and is whole the next time.
  private func expect(
    _ damage: [String], _ directory: LedgerTestVault, _ comment: String = "",
    segments: Int = 2, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let test = try CommitTestVault(directory)
    #expect(test.damage == damage, "\(comment)", sourceLocation: sourceLocation)
    try test.sign("a")
    test.vault.close()
    let found = try Self.segments(directory)
    #expect(found.count == segments, "\(comment): \(found)", sourceLocation: sourceLocation)
    let newest = try String(
      contentsOfFile: directory.path + "/audit/" + (found.last ?? ""), encoding: .utf8)
    #expect(
      newest.contains("\"method\":\"vault.damage\"") == !damage.isEmpty, "\(comment)",
      sourceLocation: sourceLocation)
    let again = try CommitTestVault(directory)
    #expect(again.damage == [], "\(comment), again", sourceLocation: sourceLocation)
    try again.sign("a")
  }

  @Test func `an untouched segment is gone on with`() throws {
    try expect([], Self.vault(), segments: 1)
  }

  @Test func `a deleted segment is noticed`() throws {
    let directory = try Self.vault()
    let test = try CommitTestVault(directory, isSealed: true)
    let last = test.vault.committer.status.sequence
    test.vault.close()
    #expect(last > 4)
    try FileManager.default.removeItem(atPath: Self.segment(directory))
    let again = try CommitTestVault(directory)
    #expect(again.damage.count == 1)
    #expect(
      again.damage.first?.hasPrefix("audit batches 1 to ") == true, "\(again.damage)")
    try again.sign("a")
    #expect(try again.restarted().damage == [])
  }

  @Test func `a whole log is written again while the outbox has it all`() throws {
    let directory = try Self.indebted()
    let log = try Self.read(directory)
    try FileManager.default.removeItem(atPath: Self.segment(directory))
    let again = try CommitTestVault(directory)
    #expect(again.damage == [])
    again.vault.close()
    #expect(try Self.read(directory).starts(with: log))
  }

  @Test func `a segment cut at any line, or within one, is noticed and named`() throws {
    let directory = try Self.vault()
    let whole = try Self.read(directory)
    let feeds = whole.indices.filter { whole[$0] == 10 }
    let seals = whole.split(separator: 10).enumerated()
      .filter { $0.element.starts(with: AuditBatchSeal.prefix) }.map(\.offset)
    for cut in feeds.flatMap({ [$0 + 1, $0 + 60] }) + [1] where cut < whole.count {
      let copy = try LedgerTestVault(copying: directory)
      try Self.write(Array(whole[..<cut]), copy)
      let lines = feeds.count { $0 < cut }
      let batches = seals.count { $0 < lines }
      let test = try CommitTestVault(copy)
      let lost = "audit batches \(batches + 1) to \(seals.count) were lost from the end of the log"
      // Of what stands behind the last batch, the checkpoint, nothing is needed.
      let isLost = batches < seals.count
      #expect(
        test.damage.first == (isLost ? lost : nil) || batches == 0,
        "cut at \(cut): \(test.damage)")
      #expect(test.damage.isEmpty == !isLost, "cut at \(cut)")
      try test.sign("a")
      let again = try test.restarted()
      #expect(again.damage.filter { !$0.contains("foreign text") } == [], "cut at \(cut)")
    }
  }

  @Test func `a segment cut where the outbox still has the rest is made whole again`() throws {
    let directory = try Self.indebted()
    let whole = try Self.read(directory)
    for cut in stride(from: 0, to: whole.count, by: 37) {
      let copy = try LedgerTestVault(copying: directory)
      try Self.write(Array(whole[..<cut]), copy)
      let again = try CommitTestVault(copy)
      #expect(again.damage == [], "cut at \(cut)")
      again.vault.close()
      #expect(try Self.read(copy).starts(with: whole), "cut at \(cut)")
    }
  }

  @Test func `a checkpoint that is torn or missing behind the last batch costs nothing`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    test.vault.close()
    let whole = try Self.read(test.directory)
    let feeds = [0] + whole.indices.filter { whole[$0] == 10 }.map { $0 + 1 }
    let checkpoints = feeds.dropLast().filter {
      whole[$0...].starts(with: AuditCheckpoint.prefix)
    }
    let ends = try #require(checkpoints.count == 2 ? checkpoints.last : nil)
    for cut in stride(from: ends, to: whole.count, by: 19) {
      for rest in [0, min(40, whole.count - cut), whole.count - cut] {
        let copy = try LedgerTestVault(copying: test.directory)
        // What the device did not take reads as zero, where it is not missing.
        try Self.write(whole[..<cut] + [UInt8](repeating: 0, count: rest), copy)
        let again = try CommitTestVault(copy)
        #expect(again.damage == [], "cut at \(cut), \(rest)")
        again.vault.close()
        #expect(try Self.read(copy).starts(with: whole[..<ends]), "cut at \(cut), \(rest)")
        #expect(try Self.segments(copy).count == 1)
        let log = try AuditLog(directory: copy.path, vaultID: again.vault.vaultID)
        #expect(log.checkpoints.last?.sequence == log.lines.last?.sequence)
      }
    }
  }

  @Test func `an edited octet in the last batch or behind it is noticed`() throws {
    let directory = try Self.vault()
    let whole = try Self.read(directory)
    // The last batch with its closing line, and the checkpoint behind it.
    let feeds = whole.indices.filter { whole[$0] == 10 }
    let last = feeds[feeds.count - 4]
    for index in stride(from: last + 1, to: whole.count, by: 41) {
      let copy = try LedgerTestVault(copying: directory)
      var changed = whole
      changed[index] ^= 1
      try Self.write(changed, copy)
      let test = try CommitTestVault(copy)
      #expect(!test.damage.isEmpty, "octet \(index)")
      test.vault.close()
      #expect(try Self.segments(copy).count == 2)
      #expect(try Self.read(copy) == changed)
      #expect(try CommitTestVault(copy).damage == [], "octet \(index), again")
    }
    for extra in ["x", "{\"seq\":99}\n", "\n", "\0"] {
      let copy = try LedgerTestVault(copying: directory)
      try Self.write(whole + Array(extra.utf8), copy)
      try expect(
        ["audit segment 1 holds foreign text from octet \(whole.count) on"], copy, extra)
    }
  }

  @Test func `a segment of another vault is noticed, whatever its number`() throws {
    let other = try Self.vault()
    let replaced = try Self.vault()
    let count = try Self.read(replaced).split(separator: 10).count {
      $0.starts(with: AuditBatchSeal.prefix)
    }
    try Self.write(try Self.read(other), replaced)
    try expect(
      [
        "audit batches 1 to \(count) were lost from the end of the log",
        "audit segment 1 holds foreign text from octet 0 on",
      ], replaced, "replaced")

    let added = try Self.vault()
    try FileManager.default.copyItem(
      atPath: Self.segment(other), toPath: added.path + "/audit/0000000900.jsonl")
    for _ in 0..<2 {
      let test = try CommitTestVault(added)
      #expect(test.damage == ["audit segment 900 holds foreign text from octet 0 on"])
      try test.sign("a")
      test.vault.close()
    }
    // The vault's own segment is gone on with all the same.
    #expect(try Self.segments(added).count == 2)
    try FileManager.default.removeItem(atPath: added.path + "/audit/0000000900.jsonl")
    #expect(try CommitTestVault(added).damage == [])
  }

  @Test func `names that are no segments are passed over`() throws {
    let directory = try Self.vault()
    let audit = directory.path + "/audit/"
    for name in ["9.jsonl", "00000000002.jsonl", "0000000000.jsonl", "notes", "x000000001.jsonl"] {
      try Data([1]).write(to: URL(filePath: audit + name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: audit + "0000000005.jsonl", withDestinationPath: "/etc/passwd")
    try FileManager.default.createDirectory(
      atPath: audit + "0000000006.jsonl", withIntermediateDirectories: false)
    let test = try CommitTestVault(directory)
    #expect(test.damage == [])
    try test.sign("a")
  }

  @Test func `a database that was rolled back behind the log does not open`() throws {
    let directory = try Self.vault()
    let old = try LedgerTestVault(copying: directory)
    let test = try CommitTestVault(directory)
    try test.revoke("a")
    test.vault.close()
    for name in ["vault.db", "vault.db-wal"] {
      try? FileManager.default.removeItem(atPath: directory.path + "/" + name)
      if FileManager.default.fileExists(atPath: old.path + "/" + name) {
        try FileManager.default.copyItem(
          atPath: old.path + "/" + name, toPath: directory.path + "/" + name)
      }
    }
    let rolledBack = try CommitTestVault(directory, isSealed: true)
    for _ in 0..<2 {
      #expect(code { try rolledBack.unseal() } == .damaged)
      #expect(!rolledBack.vault.isUnsealed)
      #expect(code { try rolledBack.sign("a") } == .sealed)
    }
  }

  @Test func `a database that went on from an older time is noticed by its log`() throws {
    let directory = try Self.vault()
    let old = try LedgerTestVault(copying: directory)
    let test = try CommitTestVault(directory)
    try test.revoke("a")
    let batches = try AuditLog(test).batches.count
    test.vault.close()
    // The older copy is brought past the same batch number, with its log; then the logs are swapped.
    let fork = try CommitTestVault(old)
    while try AuditLog(fork).batches.count <= batches + 6 { try fork.sign("a") }
    fork.vault.close()
    try Self.write(try Self.read(directory), old)
    try old.tamper("DELETE FROM audit_outbox")
    let again = try CommitTestVault(old)
    #expect(again.damage.first?.contains("lost from the end") == true, "\(again.damage)")
  }

  @Test func `rows of the outbox that were changed or removed are noticed`() throws {
    func tampered(_ sql: String) throws -> CommitTestVault {
      let directory = try Self.indebted()
      try FileManager.default.removeItem(atPath: Self.segment(directory))
      try directory.tamper(sql)
      return try CommitTestVault(directory)
    }
    for sql in [
      "UPDATE audit_outbox SET mac = zeroblob(32) WHERE batch = 3",
      "UPDATE audit_outbox SET mac = NULL WHERE batch = 3",
      "UPDATE audit_outbox SET lines = CAST(replace(CAST(lines AS TEXT), 'key', 'kex') AS BLOB) WHERE batch = 3",
      "UPDATE audit_outbox SET first_seq = 9223372036854775807, last_seq = 9223372036854775807",
      "UPDATE audit_outbox SET first_seq = -9223372036854775807 - 1",
      "UPDATE audit_outbox SET lines = x'' WHERE batch = 4",
      "DELETE FROM audit_outbox WHERE batch = 3",
      "DELETE FROM audit_outbox WHERE batch >= 4",
      "DELETE FROM audit_outbox",
      "UPDATE audit_outbox SET lines = (SELECT lines FROM audit_outbox WHERE batch = 4)",
    ] {
      let test = try tampered(sql)
      #expect(!test.damage.isEmpty, "\(sql)")
      try test.sign("a")
      #expect(try test.restarted().damage == [], "\(sql)")
    }
  }
}
