import Foundation
import Glibc
import Testing

@testable import VaultCore

/// What somebody does to the segment, or its directory, while it is in use.
@Suite struct AuditReplacedTests {
  enum Tampering: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case removed, renamed, cut, emptied, swapped, copied, directory, pipe, link, extended
    case folderMoved, folderRemoved, folderLinked

    var testDescription: String { rawValue }

    /// Whether something stands where the vault's segments belong that keeps it from writing any.
    var isLasting: Bool { self == .folderLinked }

    func apply(to directory: LedgerTestVault, other: LedgerTestVault) throws {
      let files = FileManager.default
      let (audit, aside) = (directory.path + "/audit", directory.root + "/aside")
      let segment = audit + "/0000000001.jsonl"
      switch self {
      case .removed: try files.removeItem(atPath: segment)
      case .renamed: try files.moveItem(atPath: segment, toPath: aside)
      case .cut: unsafe truncate(segment, 100)
      case .emptied: unsafe truncate(segment, 0)
      case .swapped:
        try files.removeItem(atPath: segment)
        try files.copyItem(atPath: other.path + "/audit/0000000001.jsonl", toPath: segment)
      case .copied:
        try files.copyItem(atPath: segment, toPath: aside)
        unsafe rename(aside, segment)
      case .directory:
        try files.moveItem(atPath: segment, toPath: aside)
        unsafe mkdir(segment, 0o750)
      case .pipe:
        try files.moveItem(atPath: segment, toPath: aside)
        unsafe mkfifo(segment, 0o640)
      case .link:
        try files.moveItem(atPath: segment, toPath: aside)
        unsafe symlink(aside, segment)
      case .extended:
        let file = try #require(FileHandle(forWritingAtPath: segment))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{\"seq\":99}\n".utf8))
      case .folderMoved: try files.moveItem(atPath: audit, toPath: aside)
      case .folderRemoved: try files.removeItem(atPath: audit)
      case .folderLinked:
        try files.moveItem(atPath: audit, toPath: aside)
        unsafe symlink(aside, audit)
      }
    }
  }

  @Test(arguments: Tampering.allCases)
  func `it is noticed and named, and every call is answered with its line kept`(
    _ tampering: Tampering
  ) throws {
    let other = try CommitTestVault()
    try other.publicKey("a")
    other.vault.close()
    let test = try CommitTestVault()
    try test.publicKey("a")
    try test.checkpoint()
    for _ in 0..<3 { try test.sign("a") }
    try tampering.apply(to: test.directory, other: other.directory)
    let aside = test.directory.root + "/aside"
    let before = try? Data(contentsOf: URL(filePath: aside))
    var lines: [Int64] = []
    for index in 0..<3 {
      lines.append(try test.publicKey("b/\(index)").sequence)
      lines.append(try test.sign("a").sequence)
    }
    // A checkpoint of the same moment may have been written behind the foreign text.
    let words =
      tampering == .extended
      ? ["audit segment 1 holds foreign text from octet", "the end of audit segment 1 was changed"]
      : ["audit segment 1 was removed or cut while it was in use"]
    let found = test.damage
    #expect(found.contains { finding in words.contains { finding.hasPrefix($0) } }, "\(found)")
    // What was put aside is as it was: a link is not followed, nor a moved file written to.
    #expect((try? Data(contentsOf: URL(filePath: aside))) == before)
    if tampering.isLasting {
      #expect(test.vault.committer.status.segmentTrouble != nil)
      #expect(test.vault.committer.lag > 0)
      #expect(!test.vault.reading.isSegmentGood)
      #expect(code { try test.checkpoint() } == .auditUnavailable)
      unsafe unlink(test.directory.path + "/audit")
      test.clock.advance(boot: 1)
      try test.sign("a")
    }
    try test.checkpoint()
    #expect(test.vault.committer.status.segmentTrouble == nil)
    #expect(test.vault.committer.lag == 0)
    #expect(test.vault.reading.isSegmentGood)
    #expect(try kept(lines, in: test.directory) == lines)
    let again = try test.restarted()
    #expect(again.damage == [], "\(tampering), again")
    try again.sign("a")
    #expect(try !again.publicKey("b/1").value.isNew)
  }

  /// Those of some lines that the segments have.
  private func kept(_ lines: [Int64], in directory: LedgerTestVault) throws -> [Int64] {
    let audit = URL(filePath: directory.path + "/audit")
    var text = ""
    for file in try FileManager.default.contentsOfDirectory(
      at: audit, includingPropertiesForKeys: [.isRegularFileKey])
    where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      text += try String(contentsOf: file, encoding: .utf8)
    }
    return lines.filter { text.contains("{\"seq\":\($0),") }
  }

  @Test func `a copy of the segment in its place is gone on with`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    try Tampering.copied.apply(to: test.directory, other: test.directory)
    for _ in 0..<3 { try test.sign("a") }
    #expect(test.damage == ["audit segment 1 was removed or cut while it was in use"])
    #expect(try AuditRotationTests.segments(test.directory).count == 1)
    _ = try AuditLog(test)
  }

  @Test func `what was cut off is written again as far as the outbox has it`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    let segment = test.directory.path + "/audit/0000000001.jsonl"
    let first = try test.checkpoint().value
    for _ in 0..<5 { try test.sign("a") }
    // Behind the checkpoint, to which all is durable, nothing is.
    let text = try Data(contentsOf: URL(filePath: segment))
    let line = try #require(text.range(of: Data(first.line)))
    unsafe truncate(segment, off_t(line.upperBound + 7))
    try test.sign("a")
    try test.sign("a")
    #expect(test.damage == ["audit segment 1 was removed or cut while it was in use"])
    let log = try AuditLog(test)
    #expect(log.lines.count { $0.method == "key.sign" } == 7)
  }
}
