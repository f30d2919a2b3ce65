@testable import VaultCore

/// A log in memory.
struct MemoryText: LogText {
  let names: [String]
  var texts: [[UInt8]]

  /// The text of parts, each with its line feed.
  init(_ log: WrittenLog) {
    self.init(log.files, log.parts)
  }

  init(_ names: [String], _ texts: [[UInt8]]) {
    self.names = names
    self.texts = texts
  }

  init(_ names: [String], _ parts: [WrittenLog.Part]) {
    self.names = names
    texts = [[UInt8]](repeating: [], count: names.count)
    for part in parts { texts[part.file] += part.text + [10] }
  }

  var files: [LogTextFile] {
    zip(names, texts).map { LogTextFile(name: $0, size: Int64($1.count)) }
  }

  func read(_ file: Int, at offset: Int64, count: Int) throws(LogTextError) -> [UInt8] {
    Array(texts[file].dropFirst(Int(offset)).prefix(count))
  }
}
