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
    for name in try FileManager.default.contentsOfDirectory(atPath: directory + "/audit").sorted() {
      let data = try Data(contentsOf: URL(filePath: "\(directory)/audit/\(name)"))
      for line in Array(data).split(separator: 10, omittingEmptySubsequences: false).dropLast() {
        try take(Array(line), &head)
      }
      #expect(!isWhole || data.isEmpty || data.last == 10)
    }
    #expect(batches.map(\.number) == (1...Int64(max(batches.count, 1))).prefix(batches.count) + [])
    #expect(lines.map(\.sequence) == (1...Int64(max(lines.count, 1))).prefix(lines.count) + [])
  }

  private mutating func take(_ text: [UInt8], _ head: inout [UInt8]) throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    if let number = json["batch"] as? Int64 {
      let first = try #require(json["first"] as? Int64)
      let last = try #require(json["last"] as? Int64)
      #expect(json["head"] as? String == Hex.encode(head.span))
      #expect(last == lines.last?.sequence && first <= last)
      #expect(first == (batches.last?.last ?? 0) + 1)
      batches.append(Batch(number: number, first: first, last: last))
      return
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
