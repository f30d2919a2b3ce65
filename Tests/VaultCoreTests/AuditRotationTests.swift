import DiskFaults
import Foundation
import Glibc
import Testing
import VaultStore

@testable import VaultCore

/// Segments that are closed when they are large, and the modes that they have.
@Suite struct AuditRotationTests {
  static let small: VaultSettings = {
    var settings = CommitTestVault.patient
    settings.auditSegmentSize = 3_000
    return settings
  }()

  static func segments(_ directory: LedgerTestVault) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path + "/audit").sorted()
  }

  /// Checks that each segment has the number of its first line, and all but the last a checkpoint at
  /// the end.
  private func expectClosed(_ directory: LedgerTestVault, _ comment: String = "") throws {
    let names = try Self.segments(directory)
    for name in names {
      let text = try String(contentsOfFile: directory.path + "/audit/" + name, encoding: .utf8)
      let lines = text.split(separator: "\n")
      guard let first = lines.first else { continue }
      let number = try #require(Int(name.dropLast(6)))
      #expect(first.hasPrefix("{\"seq\":\(number),"), "\(name) \(comment)")
      if name != names.last {
        #expect(lines.last?.hasPrefix("{\"checkpoint\":") == true, "\(name) \(comment)")
        #expect(text.utf8.count >= Self.small.auditSegmentSize)
      }
    }
  }

  @Test
  func `a large segment is closed with a checkpoint, and the next has its first line's number`()
    throws
  {
    let test = try CommitTestVault(settings: Self.small)
    try test.publicKey("a")
    for _ in 0..<40 { try test.sign("a") }
    let log = try AuditLog(test)
    #expect(log.lines.count > 40)
    test.vault.close()
    #expect(try Self.segments(test.directory).count > 5)
    try expectClosed(test.directory)
    let again = try CommitTestVault(test.directory, settings: Self.small)
    #expect(again.damage == [])
    try again.sign("a")
    _ = try AuditLog(again)
  }

  @Test func `a directory of an earlier release is gone on with, and its modes are set right`()
    throws
  {
    let test = try CommitTestVault()
    try test.publicKey("a")
    test.vault.close()
    let audit = test.directory.path + "/audit"
    // One segment after another, counted from 1, without checkpoints, readable by all or by nobody.
    let segment = audit + "/0000000001.jsonl"
    let lines = try String(contentsOfFile: segment, encoding: .utf8).split(separator: "\n")
    let old = lines.filter { !$0.hasPrefix("{\"checkpoint\":") }.joined(separator: "\n") + "\n"
    try Data(old.utf8).write(to: URL(filePath: segment))
    try test.directory.tamper("DELETE FROM audit_outbox")
    unsafe chmod(audit, 0o700)
    unsafe chmod(segment, 0o666)
    let again = try CommitTestVault(test.directory, settings: Self.small)
    #expect(again.damage == [])
    for _ in 0..<10 { try again.sign("a") }
    let log = try AuditLog(again)
    #expect(log.checkpoints.first.map { $0.sequence > 3 } == true)
    #expect(try mode(audit) == 0o750)
    for name in try Self.segments(test.directory) {
      #expect(try mode(audit + "/" + name) == 0o640, "\(name)")
    }
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test func `a directory that is a link is not used`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    test.vault.close()
    let (audit, other) = (test.directory.path + "/audit", test.directory.root + "/other")
    try FileManager.default.moveItem(atPath: audit, toPath: other)
    unsafe chmod(other, 0o755)
    try FileManager.default.createSymbolicLink(atPath: audit, withDestinationPath: other)
    let linked = try CommitTestVault(test.directory)
    #expect(linked.damage.first?.hasPrefix("the audit directory could not be read") == true)
    try linked.sign("a")
    #expect(linked.vault.committer.status.segmentTrouble != nil)
    #expect(try mode(other) == 0o755)
    // The cause is gone, and the same vault goes on where it should.
    try FileManager.default.removeItem(atPath: audit)
    try FileManager.default.moveItem(atPath: other, toPath: audit)
    linked.clock.advance(boot: 1)
    try linked.sign("a")
    try linked.checkpoint()
    #expect(linked.vault.committer.status.segmentTrouble == nil)
    #expect(try AuditLog(linked).lines.count { $0.method == "key.sign" } == 2)
    #expect(try mode(audit) == 0o750)
  }

  @Test(arguments: ["a file", "a directory", "a pipe", "a link"])
  func `a name that something else has is passed over, and that is told`(_ what: String) throws {
    let test = try CommitTestVault(settings: Self.small)
    try test.publicKey("a")
    // Rotation happens in front of the first line that comes when the segment is large enough.
    let audit = test.directory.path + "/audit/"
    for number in 5...60 {
      let path = audit + String(repeating: "0", count: 10 - "\(number)".count) + "\(number).jsonl"
      switch what {
      case "a file": try Data("kept\n".utf8).write(to: URL(filePath: path))
      case "a directory": unsafe mkdir(path, 0o700)
      case "a pipe": unsafe mkfifo(path, 0o600)
      default: unsafe symlink("/etc/passwd", path)
      }
    }
    while try Self.segments(test.directory).count < 58 { try test.sign("a") }
    try test.sign("a")
    let made = try #require(
      try Self.segments(test.directory).first { Int($0.dropLast(6)) ?? 0 > 60 })
    #expect(made == "0000000061.jsonl")
    #expect(
      test.damage.contains { $0.hasPrefix("something that is not of the vault has the name of") })
    let lines = try String(contentsOfFile: audit + made, encoding: .utf8)
    #expect(lines.hasPrefix("{\"seq\":"))
    if what == "a file" {
      #expect(try String(contentsOfFile: audit + "0000000007.jsonl", encoding: .utf8) == "kept\n")
    }
    try test.sign("a")
    let again = try test.restarted()
    try again.sign("a")
  }

  @Test func `where no further segment can be made the log goes on in the one there is`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(
      directory, audit: RecordedAudit(directory, recorder), settings: Self.small)
    try test.publicKey("a")
    recorder.fail(
      .init(after: 0, code: ENOSPC) { event in
        if case .create(let path) = event { path.contains("/audit/") } else { false }
      })
    for _ in 0..<30 { try test.sign("a") }
    #expect(try Self.segments(directory) == ["0000000001.jsonl"])
    #expect(test.vault.committer.status.segmentTrouble?.word == "storage_full")
    recorder.fail(nil)
    try test.sign("a")
    try test.sign("a")
    #expect(try Self.segments(directory).count == 2)
    _ = try AuditLog(test)
    #expect(test.vault.committer.status.segmentTrouble == nil)
  }
}
