import Foundation
import Glibc
import Testing
import VaultCrypto

@testable import VaultCore

/// The text of a log as the verifier gets it: from files, line by line.
@Suite struct LogTextTests {
  @Test func `lines come whole wherever the parts end in which a file is read`() throws {
    let part = 256 << 10
    for length in [1, 63, 4096, 50_000] {
      let line = [UInt8](repeating: UInt8(ascii: "a"), count: length) + [10]
      let count = part / line.count + 3
      let text = MemoryText(
        ["1", "2", "3"], [(0..<count).flatMap { _ in line }, [], [98, 10, 99]])
      var reader = LogTextReader(text)
      for index in 0..<count {
        let item = try #require(try reader.next())
        #expect(item.octets == line.dropLast() && item.isWhole)
        #expect(item.place.file == 0 && item.place.line == Int64(index + 1))
        #expect(item.place.offset == Int64(index * line.count))
        let again = try LogTextReader.first(text, from: item.place)
        #expect(again?.octets == item.octets)
      }
      let last = try [#require(try reader.next()), #require(try reader.next())]
      #expect(last.map(\.octets) == [[98], [99]] && last.map(\.isWhole) == [true, false])
      #expect(last.map(\.place.file) == [2, 2] && last.map(\.place.line) == [1, 2])
      #expect(try reader.next() == nil)
    }
  }

  @Test func `a line that is far too long ends the text, and no more of it is read`() throws {
    let start = Array(#"{"seq":1,"time":"2026-01-15T08:30:00Z","x":""#.utf8)
    let end = Array((#"","prev":""# + String(repeating: "0", count: 64) + #""}"#).utf8)
    let long = start + [UInt8](repeating: 97, count: 3 << 20) + end
    let text = CountedText(MemoryText(["1", "2"], [long + [10, 98, 10], [99, 10]]))
    var reader = LogTextReader(text)
    let item = try #require(try reader.next())
    #expect(item.octets == Array(long.prefix(LogItem.longest + 1)) && item.isTooLong)
    if case .line = item.kind { Issue.record("taken for a line") }
    #expect(try reader.next() == nil)
    var again = LogTextReader(text, from: item.next)
    #expect(try again.next() == nil)
    #expect(text.read <= 512 << 10)

    // The longest line of all is none of the vault's either, and is no reason to stop.
    let longest = [UInt8](repeating: 97, count: LogItem.longest)
    reader = LogTextReader(MemoryText(["1"], [longest + [10, 98, 10]]))
    #expect(try reader.next()?.isTooLong == false)
    #expect(try reader.next()?.octets == [98])
  }

  @Test func `files with holes may be longer together than any file is`() throws {
    let verdict = try AuditVerifier(HollowText()).run { done, total in
      #expect(done <= total && total == .max)
    }
    #expect(verdict.fault == nil && verdict.report.lines == 0)
  }

  @Test func `a directory has its prune records first, and its segments by their numbers`() throws {
    let directory = NSTemporaryDirectory() + "lk-log-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let names = [
      "pruned.jsonl", "0000000002.jsonl", "0000000010.jsonl", "12345678901.jsonl",
    ]
    let others = [
      "0000000003.json", "00000000000.jsonl", "00000000012.jsonl", "12.jsonl",
      "99999999999999999999.jsonl", "notes", "x000000003.jsonl", "x1", "x2",
    ]
    for name in names.reversed() + others {
      try Data(name.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
    }
    let folder = try LogFolder(directory)
    #expect(folder.files.map(\.name) == names)
    #expect(
      folder.ignored == Array(others.sorted().prefix(8)) && folder.ignoredCount == others.count)
    for (index, file) in folder.files.enumerated() {
      #expect(try folder.read(index, at: 0, count: 100) == Array(file.name.utf8))
      #expect(LogFileName.number(in: file.name).map(LogFileName.name) == file.name)
    }
    #expect(try LogFolder("\(directory)/notes").files.map(\.name) == ["notes"])

    // A FIFO would keep whoever opens it waiting.
    unsafe mkfifo("\(directory)/0000000007.jsonl", 0o600)
    #expect(throws: LogTextError(file: "0000000007.jsonl", code: EINVAL)) {
      try LogFolder(directory)
    }
    #expect(throws: LogTextError(file: directory + "/none", code: ENOENT)) {
      try LogFolder(directory + "/none")
    }
  }
}

extension LogTextReader {
  fileprivate static func first(
    _ text: any LogText, from place: LogPlace
  ) throws(LogTextError) -> LogItem? {
    var reader = LogTextReader(text, from: place)
    return try reader.next()
  }
}

/// Counts the octets that are read.
private final class CountedText: LogText {
  private let text: MemoryText
  private(set) var read = 0

  init(_ text: MemoryText) {
    self.text = text
  }

  var files: [LogTextFile] { text.files }

  func read(_ file: Int, at offset: Int64, count: Int) throws(LogTextError) -> [UInt8] {
    let octets = try text.read(file, at: offset, count: count)
    read += octets.count
    return octets
  }
}

/// Files that claim to be as long as a file can be, and end with what was written.
private struct HollowText: LogText {
  let files = (1...3).map { LogTextFile(name: "\($0)", size: .max) }

  func read(_ file: Int, at offset: Int64, count: Int) throws(LogTextError) -> [UInt8] { [] }
}
