import Foundation
import Testing
import VaultCrypto

@testable import VaultCore

/// Pieces of another vault's log and of another history of the same vault, and logs that were cut.
@Suite(.serialized) struct AuditVerifierSpliceTests {
  typealias Place = AuditFault.Place
  /// The batch from which on the other history differs.
  static let divergence = 8

  let log: WrittenLog
  /// The same calls in another vault.
  let foreign: WrittenLog
  /// The same vault, brought back to an older state and gone on with.
  let other: WrittenLog

  init() throws {
    log = try WrittenLog.sample()
    foreign = try WrittenLog.sample(vault: 9)
    other = try WrittenLog.sample(pid: 2, from: Self.divergence)
  }

  private func check(_ cases: [FaultCase]) throws { try FaultCase.check(cases) }

  private func place(_ index: Int, in parts: [WrittenLog.Part]) -> Place {
    WrittenLog.place(index, in: parts, log.files)
  }

  /// The parts of each batch: its lines and its closing line.
  private var batches: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (index, part) in log.parts.enumerated() {
      switch part.kind {
      case .line: start = start ?? index
      case .seal:
        ranges.append((start ?? index)..<index + 1)
        start = nil
      default: continue
      }
    }
    return ranges
  }

  @Test func `a line of another vault in the place of one is noticed`() throws {
    var cases: [FaultCase] = []
    for (index, part) in log.parts.enumerated() {
      var parts = log.parts
      parts[index] = foreign.parts[index]
      // Of the last closing line nobody else tells what it should be: the line before it may be what
      // was changed.
      let isLast = index == parts.count - 1
      cases.append(
        FaultCase(
          "foreign \(part.kind) \(index)", MemoryText(log.files, parts), key: log.key,
          .fault(
            isLast ? [.edited] : [.spliced], [place(isLast ? index - 1 : index, in: parts)])))
    }
    try check(cases)
  }

  @Test func `a line of another vault among the others is noticed`() throws {
    var cases: [FaultCase] = []
    for (index, part) in foreign.parts.enumerated() {
      for target in stride(from: index % 4, through: log.parts.count, by: 4) {
        var parts = log.parts
        var inserted = part
        inserted.file = target < parts.count ? parts[target].file : log.files.count - 1
        parts.insert(inserted, at: target)
        let isStatement = part.kind != .line && part.kind != .seal
        cases.append(
          FaultCase(
            "foreign \(part.kind) \(index) before \(target)", MemoryText(log.files, parts),
            key: log.key,
            .fault(isStatement ? [.spliced] : [.inserted], [place(target, in: parts)])))
      }
    }
    try check(cases)
  }

  @Test func `a batch or a segment of another vault is noticed`() throws {
    var cases: [FaultCase] = []
    let segments = (1..<log.files.count).map { file in
      log.parts.indices.filter { log.parts[$0].file == file }
    }.map { ($0.first ?? 0)..<($0.last ?? 0) + 1 }
    for range in batches + segments {
      var parts = log.parts
      parts.replaceSubrange(range, with: foreign.parts[range])
      cases.append(
        FaultCase(
          "foreign \(range)", MemoryText(log.files, parts), key: log.key,
          .fault([.spliced], [place(range.lowerBound, in: parts)])))
      parts = log.parts
      parts.insert(contentsOf: foreign.parts[range], at: range.lowerBound)
      cases.append(
        FaultCase(
          "foreign \(range) besides", MemoryText(log.files, parts), key: log.key,
          .fault([.spliced], [place(range.lowerBound, in: parts)])))
    }
    try check(cases)
  }

  @Test func `a line of another history in the place of one is noticed`() throws {
    var cases: [FaultCase] = []
    // The first line that differs still follows the one before it: it looks like one that was changed.
    let first = log.parts.indices.first { log.parts[$0] != other.parts[$0] } ?? 0
    for index in log.parts.indices where log.parts[index] != other.parts[index] {
      var parts = log.parts
      parts[index] = other.parts[index]
      let isLast = index == parts.count - 1
      // Nobody behind the last checkpoint and the last closing line says which side is right.
      let isUnwitnessed = isLast || index == log.parts.lastIndex { $0.kind == .checkpoint }
      cases.append(
        FaultCase(
          "other \(parts[index].kind) \(index)", MemoryText(log.files, parts), key: log.key,
          .fault(
            index == first || isUnwitnessed ? [.edited] : [.spliced],
            [place(isLast ? index - 1 : index, in: parts)])))
    }
    #expect(cases.count > 15)
    try check(cases)
  }

  @Test func `a batch of another history in the place of one is noticed`() throws {
    var cases: [FaultCase] = []
    for range in batches where log.parts[range] != other.parts[range] {
      var parts = log.parts
      parts.replaceSubrange(range, with: other.parts[range])
      // What differs first fits what is before it: the seam is behind it.
      let isFirst = log.parts[..<range.lowerBound] == other.parts[..<range.lowerBound]
      let end = parts[range.upperBound...].firstIndex { $0.kind == .line || $0.kind == .checkpoint }
      cases.append(
        FaultCase(
          "other batch \(range)", MemoryText(log.files, parts), key: log.key,
          .fault([.spliced], [place(isFirst ? end ?? 0 : range.lowerBound, in: parts)])))
    }
    try check(cases)
  }

  @Test func `the end of another history is noticed by who has kept a checkpoint`() throws {
    var cases: [FaultCase] = []
    for range in batches where log.parts[range] != other.parts[range] {
      let start = range.lowerBound
      let parts = Array(log.parts[..<start] + other.parts[start...])
      let fits = log.parts[..<start] == other.parts[..<start]
      let text = MemoryText(log.files, parts)
      cases.append(
        FaultCase(
          "rolled back before \(start)", text, key: log.key,
          fits ? .nothing : .fault([.spliced], [place(start, in: parts)])))
      let kept = parts.firstIndex {
        $0.kind == .line && $0.line?.sequence == log.checkpoint?.sequence
      }
      if fits {
        cases.append(
          FaultCase(
            "rolled back before \(start), with a checkpoint", text, key: log.key,
            checkpoint: log.checkpoint, .fault([.edited], [place(kept ?? 0, in: parts)])))
      }
    }
    try check(cases)
  }

  @Test func `an end that is cut off is missed`() throws {
    var cases: [FaultCase] = []
    for index in log.parts.indices where log.parts[index].file == log.files.count - 1 {
      let file = log.parts[index].file
      let whole = MemoryText(log.files, Array(log.parts[..<index]))
      let isClosed = [.seal, .checkpoint].contains(log.parts[index - 1].kind)
      let kept = log.checkpoint?.sequence ?? 0
      let isKept = log.parts[..<index].contains { $0.line?.sequence == kept }
      let at = [place(index, in: log.parts)] + (index > 0 ? [behind(index - 1)] : [])
      cases.append(
        FaultCase(
          "cut before \(index)", whole, key: log.key, isClosed ? .nothing : .fault([.tailLost], at))
      )
      cases.append(
        FaultCase(
          "cut before \(index), with a checkpoint", whole, key: log.key, checkpoint: log.checkpoint,
          isClosed && isKept ? .nothing : .fault([.tailLost], at)))
      for count in [1, 9, log.parts[index].text.count / 2, log.parts[index].text.count] {
        var torn = whole
        torn.texts[file] += log.parts[index].text.prefix(count)
        cases.append(
          FaultCase(
            "cut in \(index) after \(count)", torn, key: log.key,
            .fault([.tailLost], [place(index, in: log.parts)])))
      }
    }
    try check(cases)
  }

  private func behind(_ index: Int) -> Place {
    let place = place(index, in: log.parts)
    return Place(file: place.file, line: place.line + 1)
  }

  @Test func `the end of an earlier file that is cut off is a gap`() throws {
    var cases: [FaultCase] = []
    for index in log.parts.indices where log.parts[index].file == log.files.count - 2 {
      for count in [0, 1, log.parts[index].text.count / 2, log.parts[index].text.count] {
        var text = MemoryText(log)
        text.texts[log.parts[index].file].removeSubrange((log.offset(index) + count)...)
        let next = log.parts.firstIndex { $0.file == log.files.count - 1 } ?? 0
        var at = [place(index, in: log.parts), place(next, in: log.parts), behind(index - 1)]
        // Only the checkpoint that comes next tells of the one that is missing.
        if log.parts[index].kind == .checkpoint { at.append(place(index, in: log.parts)) }
        cases.append(
          FaultCase("cut in \(index) after \(count)", text, key: log.key, .fault([.removed], at)))
      }
    }
    try check(cases)
  }
}
