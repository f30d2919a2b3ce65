import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// A log that somebody has been at, and what is to be found.
struct FaultCase {
  /// What is to be found.
  enum Expectation {
    /// Nothing: what was done cannot show.
    case nothing
    /// A fault of one of these kinds, at one of these places, or told as one of the lines up to its
    /// place.
    case fault(Set<AuditFault.Kind>, [AuditFault.Place])
  }

  let name: String
  var text: MemoryText
  var key: [UInt8]?
  var checkpoint: AuditCheckpoint?
  let expectation: Expectation

  init(
    _ name: String, _ text: MemoryText, key: [UInt8]?, checkpoint: AuditCheckpoint? = nil,
    _ expectation: Expectation
  ) {
    self.name = name
    self.text = text
    self.key = key
    self.checkpoint = checkpoint
    self.expectation = expectation
  }

  var verdict: AuditVerdict {
    get throws { try AuditVerifier(text, key: key, checkpoint: checkpoint).run() }
  }

  /// Whether a verdict is the one that is expected.
  func isMet(by verdict: AuditVerdict) -> Bool {
    switch (expectation, verdict.fault) {
    case (.nothing, nil): return true
    case (.fault(let kinds, let places), let fault?):
      guard kinds.contains(fault.kind) else { return false }
      return places.contains { place in
        guard let since = fault.since else { return place == fault.place }
        return order(since) <= order(place) && order(place) <= order(fault.place)
      }
    default: return false
    }
  }

  private func order(_ place: AuditFault.Place) -> Int64 {
    Int64(text.names.firstIndex(of: place.file) ?? -1) * 1_000_000 + place.line
  }

  /// Checks cases, and that a verifier which shares no code with this one comes to the same.
  static func check(
    _ cases: [FaultCase], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let others = try foreignVerdicts(cases)
    try #require(others.count == cases.count, sourceLocation: sourceLocation)
    for (one, other) in zip(cases, others) {
      let verdict = try one.verdict
      // The texts would be shown whole by an expectation.
      if !one.isMet(by: verdict) {
        Issue.record(
          "\(one.name): \(verdict.words), not \(one.expectation)", sourceLocation: sourceLocation)
      }
      if verdict.comparable != other {
        Issue.record(
          "\(one.name): \(verdict.words), elsewhere \(other)", sourceLocation: sourceLocation)
      }
    }
  }

  /// What `Tests/Interop/verify_audit.py` says of each.
  private static func foreignVerdicts(_ cases: [FaultCase]) throws -> [ForeignVerdict] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appending(path: ".build/venv/bin/python")
    process.arguments = [root.appending(path: "Tests/Interop/verify_audit.py").path, "--cases"]
    let input = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: input) }
    try Data(cases.flatMap { Array($0.json.utf8) + [10] }).write(to: input)
    process.standardInput = try FileHandle(forReadingFrom: input)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try text.split(separator: 10).map {
      try JSONDecoder().decode(ForeignVerdict.self, from: $0)
    }
  }

  private var json: String {
    let files = zip(text.names, text.texts).map {
      "[\"\($0)\",\"\(Data($1).base64EncodedString())\"]"
    }
    let key = key.map { "\"\(Hex.encode($0.span))\"" } ?? "null"
    let line = checkpoint.map { String(decoding: $0.line.dropLast(), as: UTF8.self) }
    let escaped = line.map { "\"\($0.replacing("\"", with: "\\\""))\"" } ?? "null"
    return "{\"files\":[\(files.joined(separator: ","))],\"key\":\(key),\"checkpoint\":\(escaped)}"
  }
}

/// A verdict as the other verifier writes it.
struct ForeignVerdict: Decodable, Equatable {
  struct Line: Decodable, Equatable { var seq: Int64; var time: String }
  struct Place: Decodable, Equatable { var file: String; var line: Int64 }
  struct Fault: Decodable, Equatable {
    var kind: String
    var file: String
    var line: Int64
    var seq: Int64
    var last_seq: Int64?
    var since: Place?
  }
  var ok: Bool
  var lines: Int64
  var batches: Int64
  var checkpoints: Int64
  var first: Line?
  var last: Line?
  var pruned: Int64?
  var checkpoint: Int64?
  var fault: Fault?
}

extension AuditVerdict {
  fileprivate var comparable: ForeignVerdict {
    func line(_ line: AuditReport.Line?) -> ForeignVerdict.Line? {
      line.map { ForeignVerdict.Line(seq: $0.sequence, time: $0.time.description) }
    }
    return ForeignVerdict(
      ok: fault == nil, lines: report.lines, batches: report.batches,
      checkpoints: report.checkpoints, first: line(report.first), last: line(report.last),
      pruned: report.pruned, checkpoint: report.checkpoint,
      fault: fault.map { fault in
        ForeignVerdict.Fault(
          kind: fault.kind.rawValue, file: fault.place.file, line: fault.place.line,
          seq: fault.sequence, last_seq: fault.lastSequence,
          since: fault.since.map { ForeignVerdict.Place(file: $0.file, line: $0.line) })
      })
  }

  var words: String {
    guard let fault else { return "nothing" }
    let since = fault.since.map { " since \($0.file):\($0.line)" } ?? ""
    return "\(fault.kind) at \(fault.place.file):\(fault.place.line)\(since), \(fault.sequence)"
      + " (\(fault.words))"
  }
}
