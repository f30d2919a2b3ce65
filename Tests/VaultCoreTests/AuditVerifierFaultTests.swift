import Foundation
import Testing
import VaultCrypto

@testable import VaultCore

/// Lines that are missing, too many, out of order, or of another log, at each place of a log.
@Suite(.serialized) struct AuditVerifierFaultTests {
  typealias Place = AuditFault.Place
  let log: WrittenLog
  /// The last checkpoint.
  let vouched: Int

  init() throws {
    log = try WrittenLog.sample()
    vouched = log.parts.lastIndex { $0.kind == .checkpoint } ?? 0
  }

  private func text(_ change: (inout [WrittenLog.Part]) -> Void) -> MemoryText {
    var parts = log.parts
    change(&parts)
    return MemoryText(log.files, parts)
  }

  /// Where something is missing before part `index`: at that part, or behind the one before it.
  private func gap(_ index: Int, in parts: [WrittenLog.Part]) -> [Place] {
    let place = WrittenLog.place(index, in: parts, log.files)
    guard index > 0 else { return [place] }
    let before = WrittenLog.place(index - 1, in: parts, log.files)
    return [place, Place(file: before.file, line: before.line + 1)]
  }

  @Test func `a line that was removed leaves a gap`() throws {
    var cases: [FaultCase] = []
    for (index, part) in log.parts.enumerated() {
      var parts = log.parts
      parts.remove(at: index)
      let expected: FaultCase.Expectation =
        if index == parts.count {
          .fault([.tailLost], gap(index, in: parts))
        } else if index == vouched {
          .nothing
        } else {
          .fault([.removed], gap(index, in: parts))
        }
      cases.append(
        FaultCase(
          "without \(part.kind) \(index)", MemoryText(log.files, parts), key: log.key, expected))
    }
    try FaultCase.check(cases)
  }

  @Test func `a run of lines that was removed leaves a gap`() throws {
    var cases: [FaultCase] = []
    for first in log.parts.indices where log.parts[first].file > 0 {
      for count in 2...9 where first + count < log.parts.count {
        var parts = log.parts
        parts.removeSubrange(first..<first + count)
        // A checkpoint may be all that is left where it stood, and only the next line then tells.
        let places = gap(first, in: parts) + gap(min(first + 1, parts.count), in: parts)
        cases.append(
          FaultCase(
            "without \(first) to \(first + count - 1)", MemoryText(log.files, parts), key: log.key,
            .fault([.removed], places)))
      }
    }
    try FaultCase.check(cases)
  }

  @Test func `a copy of a line is one too many`() throws {
    var cases: [FaultCase] = []
    for (index, part) in log.parts.enumerated() {
      cases.append(
        FaultCase(
          "\(part.kind) \(index) twice", text { $0.insert(part, at: index + 1) }, key: log.key,
          .fault([.inserted], behind(index))))
      // Somewhere else, in steps that meet each place.
      for target in stride(from: index % 5, to: log.parts.count, by: 5)
      where target != index && target != index + 1 {
        var copy = part
        copy.file = log.parts[target].file
        cases.append(
          FaultCase(
            "a copy of \(part.kind) \(index) before \(target)",
            text { $0.insert(copy, at: target) }, key: log.key,
            .fault([.inserted], [log.place(target)])))
      }
    }
    try FaultCase.check(cases)
  }

  /// The line behind part `index` of the same file.
  private func behind(_ index: Int) -> [Place] {
    let place = log.place(index)
    return [Place(file: place.file, line: place.line + 1)]
  }

  @Test func `neighbours that were swapped are out of order`() throws {
    var cases: [FaultCase] = []
    for index in log.parts.indices.dropLast()
    where log.parts[index].file == log.parts[index + 1].file {
      cases.append(
        FaultCase(
          "\(log.parts[index].kind) \(index) swapped with \(log.parts[index + 1].kind)",
          text { $0.swapAt(index, index + 1) }, key: log.key,
          .fault([.reordered], [log.place(index)])))
    }
    try FaultCase.check(cases)
  }

  @Test func `a line that was moved is out of order`() throws {
    var cases: [FaultCase] = []
    for index in log.parts.indices where log.parts[index].file > 0 {
      for target in stride(from: 4 + index % 3, to: log.parts.count, by: 3)
      where abs(target - index) > 1 && log.parts[target].file == log.parts[index].file {
        let moved = text { parts in
          let part = parts.remove(at: index)
          parts.insert(part, at: target)
        }
        let first = min(index, target)
        cases.append(
          FaultCase(
            "\(log.parts[index].kind) \(index) moved to \(target)", moved, key: log.key,
            .fault([.reordered], [log.place(first), log.place(first + 1)])))
      }
    }
    try FaultCase.check(cases)
  }

  /// Numbers that no vault gives, in a closing line behind a gap, where nothing is known that they
  /// would have to follow.
  @Test(arguments: [.min, -1, 0, 1 << 53, 1 << 53 + 1, .max] as [Int64])
  func `a number beyond all others is withstood`(number: Int64) throws {
    let cases = try (0..<3).map { member in
      var log = try WrittenLog(vault: 7)
      log.write(lines: 2)
      log.write(lines: 2)
      log.write(lines: 2)
      log.write(lines: 1)
      let index = try #require(log.parts.lastIndex { $0.line?.sequence == 6 }) + 1
      var seal = try #require(AuditBatchSeal(line: log.parts[index].text))
      switch member {
      case 0: seal.number = number
      case 1: seal.first = number
      default: seal.last = number
      }
      log.parts[index].text = seal.line.dropLast()
      log.parts.removeSubrange(3..<6)
      return FaultCase(
        "member \(member) is \(number)", MemoryText(log), key: nil,
        .fault([.removed], [log.place(3)]))
    }
    try FaultCase.check(cases)
  }

  @Test func `digits without end are no number`() throws {
    var text = MemoryText(log)
    let digits = [UInt8](repeating: UInt8(ascii: "9"), count: 5_000)
    text.texts[text.texts.count - 1] += Array(#"{"seq":"#.utf8) + digits + [10]
    let end = log.place(log.parts.count)
    try FaultCase.check([FaultCase("digits", text, key: log.key, .fault([.inserted], [end]))])
  }

  @Test func `a line that is far too long is at fault wherever it stands`() throws {
    let cases = (0...log.parts.count).map { index in
      var parts = log.parts
      let file = index < parts.count ? parts[index].file : log.files.count - 1
      let long = [UInt8](repeating: UInt8(ascii: "x"), count: LogItem.longest + 1)
      parts.insert(WrittenLog.Part(kind: .line, text: long, file: file), at: index)
      return FaultCase(
        "long before \(index)", MemoryText(log.files, parts), key: log.key,
        .fault([.edited], [WrittenLog.place(index, in: parts, log.files)]))
    }
    try FaultCase.check(cases)
  }

  @Test func `a segment with another name is at fault, unless it is counted`() throws {
    let whole = try WrittenLog.sample(pruned: false)
    var cases: [FaultCase] = []
    for (log, first) in [(log, 1), (whole, 0)] {
      for file in first..<log.files.count {
        let line = try #require(log.parts.firstIndex { $0.file == file && $0.kind == .line })
        for number in 1...30 {
          var files = log.files
          files[file] = LogFileName.name(of: Int64(number))
          let isRight = files[file] == log.files[file] || number == file + 1 - first
          cases.append(
            FaultCase(
              "\(log.files[file]) is \(number)", MemoryText(files, log.parts), key: log.key,
              isRight
                ? .nothing
                : .fault([.edited], [WrittenLog.place(line, in: log.parts, files)])))
        }
      }
    }
    try FaultCase.check(cases)
  }
}
