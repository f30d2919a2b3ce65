import VaultCrypto

/// The segments of a log as they stand on the disk, in order, each opened when it is first looked at.
struct AuditSegments {
  /// A place in one of them.
  struct Place: Hashable, Sendable {
    /// Which of ``numbers``.
    var index: Int
    var offset: Int64
  }

  private static let piece: Int64 = 1 << 20

  /// The numbers in their names, ascending.
  private(set) var numbers: [Int64]
  /// What was taken away before them.
  let pruned: AuditPruneLog
  let source: any AuditSource
  let unsealed: UnsealedLedger
  private var opened: [Int64: any AuditFile] = [:]

  init(_ source: any AuditSource, _ unsealed: UnsealedLedger) throws(AuditFileError) {
    self.source = source
    self.unsealed = unsealed
    numbers = try source.numbers()
    pruned = try AuditPruneLog(source, unsealed)
  }

  /// The file of a segment.
  mutating func file(_ index: Int) throws(AuditFileError) -> any AuditFile {
    let number = numbers[index]
    if let file = opened[number] { return file }
    let file = try source.open(number)
    opened[number] = file
    return file
  }

  /// The text before a segment that was just made, and goes on with a line.
  static func text(
    beforeNew number: Int64, line: Int64, _ source: any AuditSource, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> AuditText {
    var segments = try AuditSegments(source, unsealed)
    guard let index = segments.numbers.firstIndex(of: number) else { throw .cut }
    return try segments.text(before: index, line: line)
  }

  /// Leaves the last one out of account.
  mutating func dropLast() {
    numbers.removeLast()
  }

  /// The last checkpoint of this vault that begins before a place.
  mutating func checkpoint(
    before place: Place
  ) throws(AuditFileError) -> (checkpoint: AuditCheckpoint, at: Place)? {
    var limit: Int64? = place.offset
    for index in stride(from: place.index, through: 0, by: -1) {
      let file = try file(index)
      let end = if let limit { limit } else { try file.size() }
      if let found = try AuditCheckpoint.last(in: file, before: end, unsealed) {
        return (found.checkpoint, Place(index: index, offset: found.start))
      }
      limit = nil
    }
    return nil
  }

  /// The digest of a line, as the segments or the records of what was taken away have it.
  ///
  /// - Returns: `nil` when it is nowhere.
  mutating func head(ofLine line: Int64) throws(AuditFileError) -> [UInt8]? {
    if let entry = pruned.entries.last(where: { $0.record.sequence == line }) {
      return entry.record.head
    }
    for index in numbers.indices.reversed() {
      guard let first = try firstLine(of: index), first <= line else { continue }
      let file = try file(index)
      // The usual case: the newest checkpoint of all.
      if let last = try AuditCheckpoint.last(in: file, before: file.size(), unsealed),
        last.checkpoint.sequence == line
      {
        return last.checkpoint.head
      }
      var lines = try AuditLines(file, from: 0)
      while let text = try lines.next() {
        guard let before = AuditChain(before: text), before.sequence == line - 1 else { continue }
        return BLAKE2b.hash(text.span.extracting(droppingLast: 1))
      }
      return nil
    }
    return nil
  }

  /// The text before a segment that goes on with a line.
  mutating func text(before index: Int, line: Int64) throws(AuditFileError) -> AuditText {
    try text(before: Place(index: index, offset: 0), line: line)
  }

  /// The text from the last checkpoint before a place, or from the beginning of the log: whatever
  /// the segments hold there.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - line: the line that the log goes on with there, if there is no text before it.
  /// - Returns: the text.
  /// - Throws: ``AuditFileError``.
  mutating func text(before place: Place, line: Int64 = 1) throws(AuditFileError) -> AuditText {
    var text: AuditText
    var next: Place
    if let found = try checkpoint(before: place) {
      text = AuditText(behind: found.checkpoint)
      next = found.at
      next.offset += Int64(found.checkpoint.line.count)
    } else {
      next = Place(index: 0, offset: 0)
      // A log whose beginning was taken away goes on from the checkpoint that closed it.
      let first = place == next ? line : try firstLine(of: 0) ?? line
      text = pruned.entry(before: first).map { AuditText(behind: $0.checkpoint) } ?? AuditText()
    }
    while next.index < place.index || next.index == place.index && next.offset < place.offset {
      let file = try file(next.index)
      let end = next.index == place.index ? place.offset : try file.size()
      let piece = try file.read(at: next.offset, count: Int(min(Self.piece, end - next.offset)))
      if piece.isEmpty {
        // The end of a segment; a file that became shorter meanwhile is found out elsewhere.
        next = Place(index: next.index + 1, offset: 0)
      } else {
        text.add(piece)
        next.offset += Int64(piece.count)
      }
    }
    return text
  }

  /// The number of the first line of a segment, `nil` when it does not begin with a line.
  private mutating func firstLine(of index: Int) throws(AuditFileError) -> Int64? {
    guard numbers.indices.contains(index) else { return nil }
    var lines = try AuditLines(try file(index), from: 0)
    return try lines.next().flatMap(AuditChain.init(before:)).map { $0.sequence + 1 }
  }
}
