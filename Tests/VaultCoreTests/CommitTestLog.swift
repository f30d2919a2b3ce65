import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The audit segments of a vault, read and checked without the code that writes them.
struct AuditLog {
  struct Line: Sendable {
    var sequence: Int64
    var method: String
    var namespace: String?
    var outcome: String
    var code: String?
    var reason: String?
    var policy: Int64?
    var isRestrictive: Bool
    var text: [UInt8]
  }

  struct Batch: Sendable {
    var number: Int64
    var first: Int64
    var last: Int64
  }

  private(set) var lines: [Line] = []
  private(set) var batches: [Batch] = []
  private(set) var checkpoints: [AuditCheckpoint] = []
  /// The checkpoint before the first line, when the log does not begin at line 1.
  private var before: AuditCheckpoint?
  /// The text since the last checkpoint.
  private var text: [UInt8] = []

  /// Waits until the committer has written everything, then reads the log of a running vault.
  init(_ test: CommitTestVault) throws {
    // The lines of a batch are exported before the next one begins.
    for _ in 0..<2 {
      let answer = Answer<Int64>()
      test.vault.committer.submit(
        .note(AuditEntry("test.wait", by: .daemon), finish: answer.reply))
      _ = try answer.get()
    }
    let own = test.vault.committer.status.sequence
    try self.init(
      directory: test.directory.path, vaultID: test.vault.vaultID, isWhole: false)
    #expect(lines.last.map { $0.sequence >= own - 1 } == true)
  }

  /// Reads and checks every segment of a data directory, the oldest first; while somebody writes, the
  /// last line need not be whole.
  init(directory: String, vaultID: [UInt8], isWhole: Bool = true) throws {
    var head = BLAKE2b.hash(vaultID.span)
    let audit = URL(filePath: directory + "/audit")
    let names = try FileManager.default.contentsOfDirectory(atPath: audit.path).sorted()
    for name in names where name != AuditPruneLog.fileName {
      let data = try Data(contentsOf: audit.appending(path: name))
      if lines.isEmpty, let first = Self.number(data), first > 1 {
        try goOn(behind: first - 1, audit, &head)
      }
      for line in Array(data).split(separator: 10, omittingEmptySubsequences: false).dropLast() {
        if line.starts(with: AuditCheckpoint.prefix) {
          try takeCheckpoint(Array(line), head)
        } else {
          try take(Array(line), &head)
        }
        text += line + [10]
      }
      #expect(!isWhole || data.isEmpty || data.last == 10)
    }
    let (batch, line) = (batches.first?.number ?? 1, lines.first?.sequence ?? 1)
    #expect(batches.map(\.number) == (batch..<batch + Int64(batches.count)).map { $0 })
    #expect(lines.map(\.sequence) == (line..<line + Int64(lines.count)).map { $0 })
  }

  /// Begins behind a line that the records of what was taken away end with.
  private mutating func goOn(behind line: Int64, _ audit: URL, _ head: inout [UInt8]) throws {
    let text = try Data(contentsOf: audit.appending(path: AuditPruneLog.fileName))
    let entries = AuditPruneLog(text: Array(text)).entries
    let entry = try #require(entries.last { $0.record.sequence == line })
    head = entry.record.head
    self.text = entry.checkpoint.line
    before = entry.checkpoint
  }

  private static func number(_ data: Data) -> Int64? {
    let text = String(decoding: data.prefix(40), as: UTF8.self)
    return text.split(whereSeparator: { ":,".contains($0) }).dropFirst().first.flatMap { Int64($0) }
  }

  private mutating func takeCheckpoint(_ line: [UInt8], _ head: [UInt8]) throws {
    let checkpoint = try #require(AuditCheckpoint(line: line))
    #expect(checkpoint.isSigned && checkpoint.key == checkpoints.first?.key ?? checkpoint.key)
    #expect(checkpoint.sequence == lines.last?.sequence ?? before?.sequence)
    #expect(checkpoint.head == head && checkpoint.batch == batches.last?.number ?? before?.batch)
    #expect(checkpoint.digest == BLAKE2b.hash(text.span))
    #expect(checkpoint.since == checkpoints.last?.sequence ?? before?.sequence ?? 0)
    checkpoints.append(checkpoint)
    text = []
  }

  private mutating func take(_ text: [UInt8], _ head: inout [UInt8]) throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    if let number = json["batch"] as? Int64 {
      let first = try #require(json["first"] as? Int64)
      let last = try #require(json["last"] as? Int64)
      #expect(json["head"] as? String == Hex.encode(head.span))
      #expect(last == lines.last?.sequence && first <= last)
      #expect(first == (batches.last?.last ?? before?.sequence ?? 0) + 1)
      batches.append(Batch(number: number, first: first, last: last))
      return
    }
    for (name, value) in json {
      // No line of any test has a member without a class, or one that its class forbids.
      #expect(AuditField(rawValue: name)?.allows(value) == true, "\(name): \(value)")
    }
    #expect(json["prev"] as? String == Hex.encode(head.span))
    head = BLAKE2b.hash(text.span)
    lines.append(
      Line(
        sequence: try #require(json["seq"] as? Int64),
        method: try #require(json["method"] as? String), namespace: json["namespace"] as? String,
        outcome: try #require(json["outcome"] as? String), code: json["code"] as? String,
        reason: json["reason"] as? String, policy: json["policy"] as? Int64,
        isRestrictive: json["restrictive"] as? Bool ?? false, text: text))
  }

  func line(_ sequence: Int64) -> Line? { lines.first { $0.sequence == sequence } }
}
