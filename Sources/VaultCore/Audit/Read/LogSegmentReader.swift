import VaultStore

/// Reads the batches of a segment that this vault wrote, from somewhere in it on.
struct LogSegmentReader {
  private static let part = 256 << 10
  private static let feed = UInt8(ascii: "\n")
  /// More octets than a batch ever has.
  static let longestBatch: Int64 = 2 << 20

  private let file: any AuditFile
  private let size: Int64
  private let unsealed: UnsealedLedger
  /// The first line of interest.
  private let sequence: Int64
  private var offset: Int64
  /// What was read and not used yet.
  private var buffer: ArraySlice<UInt8> = []
  /// The lines of the batch that is being read.
  private var lines: [UInt8] = []
  /// Whether everything since the last closing line was read.
  private var isWhole: Bool

  /// Opens a segment.
  ///
  /// - Parameters:
  ///   - file: the segment.
  ///   - sequence: the first line of interest; batches before it are passed over.
  ///   - unsealed: proves batches.
  /// - Throws: ``AuditFileError``.
  init(
    _ file: any AuditFile, from sequence: Int64, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) {
    self.file = file
    self.unsealed = unsealed
    self.sequence = sequence
    size = try file.size()
    offset = max(try Self.place(before: sequence, in: file, size) - Self.longestBatch, 0)
    isWhole = offset == 0
  }

  /// The next batch of this vault; what is none is passed over.
  ///
  /// - Returns: `nil` behind the last one.
  mutating func next() throws(AuditFileError) -> AuditBatch? {
    while let line = try nextLine() {
      guard line.starts(with: AuditBatchSeal.prefix) else {
        if line.starts(with: LogItem.Line.prefix), lines.count < Self.longestBatch { lines += line }
        continue
      }
      let text = lines
      let wasWhole = isWhole
      lines = []
      isWhole = true
      // Most are of no interest, and those need not be read whole.
      guard wasWhole, let last = Self.last(ofClosing: line), last >= sequence,
        let seal = AuditBatchSeal(line: line.dropLast())
      else { continue }
      let row = OutboxRow(
        batch: seal.number, firstSeq: seal.first, lastSeq: seal.last, lines: text, mac: seal.mac)
      if let batch = AuditBatch.proven(row, unsealed) { return batch }
    }
    return nil
  }

  /// The next line with its line feed; a last one without is not there yet.
  private mutating func nextLine() throws(AuditFileError) -> [UInt8]? {
    while true {
      if let end = buffer.firstIndex(of: Self.feed) {
        defer { buffer = buffer[(end + 1)...] }
        return Array(buffer[...end])
      }
      guard offset < size, buffer.count < Self.longestBatch else { return nil }
      let read = try file.read(at: offset, count: Int(min(size - offset, Int64(Self.part))))
      guard !read.isEmpty else { return nil }
      offset += Int64(read.count)
      buffer = buffer + read
    }
  }

  /// The last line of the batch that a closing line, with its line feed, closes.
  private static func last(ofClosing line: [UInt8]) -> Int64? {
    let rest = #","head":"","mac":""}"#.utf8.count + 2 * 64 + 1
    let beginning = line.dropLast(rest)
    guard let colon = beginning.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    return Int64(String(decoding: beginning[(colon + 1)...], as: UTF8.self))
  }

  /// A place in a segment that no line before another one stands behind.
  private static func place(
    before sequence: Int64, in file: any AuditFile, _ size: Int64
  ) throws(AuditFileError) -> Int64 {
    var (low, high): (Int64, Int64) = (0, size)
    while high - low > longestBatch {
      let middle = low + (high - low) / 2
      let read = try file.read(at: middle, count: Int(min(size - middle, Int64(part))))
      if let line = firstLine(in: read), line.sequence <= sequence {
        low = middle + Int64(line.offset)
      } else {
        high = middle
      }
    }
    return low
  }

  /// The first line that begins within octets from somewhere in a segment.
  private static func firstLine(in octets: [UInt8]) -> (sequence: Int64, offset: Int)? {
    var rest = octets[...]
    while let feed = rest.firstIndex(of: Self.feed) {
      rest = rest[(feed + 1)...]
      let line = Array(rest.prefix { $0 != Self.feed })
      if let found = LogItem.Line(line.span) { return (found.sequence, rest.startIndex) }
    }
    return nil
  }

  /// The number of a segment's first line; `nil` when it does not begin with one.
  static func firstLine(of file: any AuditFile) throws(AuditFileError) -> Int64? {
    let octets = try file.read(at: 0, count: LogItem.longest)
    let line = Array(octets.prefix { $0 != Self.feed })
    return LogItem.Line(line.span)?.sequence
  }
}
