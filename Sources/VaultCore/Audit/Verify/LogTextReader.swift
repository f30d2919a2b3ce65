/// Reads a log line by line, with memory for one part of one file.
///
/// A line that is longer than any that a vault writes ends the text: what is behind it is not read, and
/// of itself no more than it takes to tell.
struct LogTextReader {
  private static let part = 256 << 10
  private static let feed = UInt8(ascii: "\n")

  private let text: any LogText
  private var place: LogPlace
  /// A part of the file, and where in it the next line begins.
  private var buffer: [UInt8] = []
  private var used = 0

  /// Starts at a line.
  init(_ text: any LogText, from place: LogPlace = .start) {
    self.text = text
    self.place = place
  }

  /// The next line; `nil` at the end of the log.
  mutating func next() throws(LogTextError) -> LogItem? {
    while place.file < text.files.count {
      if place.offset < text.files[place.file].size, let item = try nextInFile() { return item }
      place = LogPlace(file: place.file + 1, line: 1, offset: 0)
      buffer = []
      used = 0
    }
    return nil
  }

  private mutating func nextInFile() throws(LogTextError) -> LogItem? {
    var line: [UInt8] = []
    var length: Int64 = 0
    while true {
      if used == buffer.count {
        let rest = text.files[place.file].size - place.offset - length
        buffer = try text.read(
          place.file, at: place.offset + length, count: Int(clamping: min(rest, Int64(Self.part))))
        used = 0
        // Nothing more, though there should be: the file was cut meanwhile.
        guard !buffer.isEmpty else { return length > 0 ? item(line, length, isWhole: false) : nil }
      }
      let rest = buffer[used...]
      let end = rest.firstIndex(of: Self.feed)
      let piece = rest[..<(end ?? rest.endIndex)]
      line += piece.prefix(LogItem.longest + 1 - line.count)
      guard line.count <= LogItem.longest else { return last(line) }
      length += Int64(piece.count)
      used = piece.endIndex
      if end != nil {
        used += 1
        return item(line, length + 1, isWhole: true)
      }
    }
  }

  private mutating func item(_ line: [UInt8], _ length: Int64, isWhole: Bool) -> LogItem {
    let start = place
    place.line += 1
    place.offset += length
    return LogItem(line, isWhole: isWhole, at: start, next: place)
  }

  /// A line behind which nothing is read.
  private mutating func last(_ line: [UInt8]) -> LogItem {
    let start = place
    place = LogPlace(file: text.files.count, line: 1, offset: 0)
    return LogItem(line, isWhole: true, at: start, next: place)
  }
}
