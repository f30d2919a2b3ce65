import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Each kind of fault at each place of a log that has every kind of line; each verdict is compared
/// with that of a verifier which shares no code.
@Suite struct AuditVerifierTests {
  @Test(arguments: [true, false])
  func `a log that nobody has touched is whole`(isPruned: Bool) throws {
    let log = try WrittenLog.sample(pruned: isPruned)
    var cases: [FaultCase] = []
    for key in [log.key, nil] {
      for checkpoint in [log.checkpoint, nil] {
        cases.append(
          FaultCase("whole", MemoryText(log), key: key, checkpoint: checkpoint, .nothing))
      }
    }
    try FaultCase.check(cases)
    for one in cases {
      let verdict = try one.verdict
      let report = verdict.report
      #expect(report.lines == Int64(log.parts.count { $0.kind == .line }))
      #expect(report.batches == Int64(log.parts.count { $0.kind == .seal }))
      #expect(report.checkpoints == Int64(log.parts.count { $0.kind == .checkpoint }))
      #expect(report.first?.sequence == (isPruned ? 10 : 1) && report.last?.sequence == 26)
      let start: Int64 = isPruned ? 1_772_366_409 : 1_772_366_400
      #expect(report.first?.time.seconds == start)
      #expect(report.pruned == (isPruned ? 9 : nil))
      #expect(report.checkpoint == 23 && report.uncovered == 3)
      #expect(verdict.vaultID == log.vaultID && verdict.key == log.key)
    }
  }

  @Test func `what was archived and what is left are the whole log again`() throws {
    let left = try WrittenLog.sample()
    let whole = try WrittenLog.sample(pruned: false)
    let records = left.parts.filter { $0.file == 0 }
    func joined(_ log: WrittenLog, _ change: (inout [WrittenLog.Part]) -> Void = { _ in })
      -> MemoryText
    {
      var parts = log.parts
      change(&parts)
      let behind = parts.map { WrittenLog.Part(kind: $0.kind, text: $0.text, file: $0.file + 1) }
      return MemoryText(["pruned.jsonl"] + log.files, records + behind)
    }
    // Another history from the second batch on, which no record vouches for.
    let other = try WrittenLog.sample(pid: 2, from: 2, pruned: false)
    let place = AuditFault.Place(file: other.files[0], line: 7)
    let second = whole.parts.firstIndex { $0.line?.sequence == 5 } ?? 0
    try FaultCase.check([
      FaultCase("whole", joined(whole), key: whole.key, .nothing),
      FaultCase("whole, without a key", joined(whole), key: nil, .nothing),
      FaultCase(
        "from the first record on", joined(whole) { $0.removeSubrange(..<second) }, key: whole.key,
        .nothing),
      FaultCase(
        "from in between on", joined(whole) { $0.removeSubrange(...second) }, key: whole.key,
        // What is left of that segment belongs to nothing that a record goes on from.
        .fault([.spliced], [AuditFault.Place(file: whole.files[1], line: 1)])),
      FaultCase("another history", joined(other), key: whole.key, .fault([.edited], [place])),
    ])
  }

  @Test(arguments: [true, false])
  func `a bit that was changed is found in its line`(isPruned: Bool) throws {
    let log = try WrittenLog.sample(pruned: isPruned)
    let vouched = log.parts.lastIndex { $0.kind == .checkpoint } ?? 0
    var cases: [FaultCase] = []
    for (index, part) in log.parts.enumerated() {
      for offset in stride(from: index % 17, through: part.text.count, by: 17) {
        var text = MemoryText(log)
        let place = log.offset(index) + offset
        text.texts[part.file][place] ^= 1 << UInt8((offset / 17) % 8)
        // Nobody but the vault can tell another MAC, and a checkpoint only that there is one.
        let mac = part.text.count - 66..<part.text.count - 2
        let isOtherMAC =
          part.kind == .seal && mac.contains(offset)
          && "0123456789abcdef".utf8.contains(text.texts[part.file][place])
        cases.append(
          FaultCase(
            "octet \(offset) of \(part.kind) \(index)", text, key: log.key,
            isOtherMAC && index > vouched ? .nothing : .fault([.edited], [log.place(index)])))
      }
    }
    try FaultCase.check(cases)
  }
}
