import VaultStore

/// One audit segment: what is in it, and where the next batch goes.
///
/// Used by the committer's thread alone.
final class AuditSegment {
  /// A place in the log, behind a batch.
  struct Place: Hashable, Sendable {
    /// The batch, and its last line.
    var batch: Int64 = 0
    var line: Int64 = 0
    /// Where it ends in the file.
    var end: Int64 = 0
  }

  /// What a segment holds, seen from its end.
  enum Contents: Hashable, Sendable {
    /// No whole batch.
    case unfinished
    /// The last whole batch, which this vault wrote.
    case sealed(AuditBatchSeal)
    /// The last batch is not of this vault, or not as it was written.
    case foreign
  }

  /// How far back the last closing line is looked for; a batch is far smaller.
  private static let window = 8 << 20

  /// The segment's number.
  let number: Int64
  private let file: any AuditFile
  /// Behind the last batch that was appended.
  private(set) var appended = Place()
  /// Behind the last batch that is known to be on the device.
  private var durable = Place()
  /// Whether ``durable`` was waited for, rather than found.
  private var isSynchronised = false
  /// What stands behind the last whole batch since a crash.
  private(set) var tail: [UInt8] = []

  init(number: Int64, file: any AuditFile) {
    self.number = number
    self.file = file
  }

  /// The last batch that survives power loss; outbox rows up to it may go.
  var synchronised: Int64 { isSynchronised ? durable.batch : 0 }

  /// Starts behind a batch that an earlier segment ends with, or that was lost.
  func start(after batch: Int64, line: Int64) {
    appended = Place(batch: batch, line: line, end: 0)
    durable = appended
  }

  /// Appends a committed batch; what a failed attempt or a crash left is cut off first.
  func append(_ batch: AuditBatch) throws(AuditFileError) {
    let size = try file.size()
    guard size >= appended.end else { throw .cut }
    if size > appended.end { try file.truncate(to: appended.end) }
    let text = batch.exported
    try file.append(text)
    appended = Place(
      batch: batch.number, line: batch.last, end: appended.end + Int64(text.count))
  }

  /// Passes over a batch that nothing vouches for.
  func skip(_ batch: Int64) {
    appended.batch = batch
  }

  /// Makes what was appended durable.
  ///
  /// After a failure everything since the last success is written again: the kernel may have dropped
  /// those pages, and would report the next attempt as a success all the same.
  func synchronise() throws(AuditFileError) {
    guard !isSynchronised || durable != appended else { return }
    do throws(AuditFileError) {
      guard try file.size() >= appended.end else { throw .cut }
      try file.synchronise()
      durable = appended
      isSynchronised = true
    } catch {
      appended = durable
      throw error
    }
  }

  /// Finds the last whole batch, and what a crash left behind it.
  ///
  /// Only the last batch is checked line by line: what stands before it is for `audit verify`.
  func survey(_ unsealed: UnsealedLedger) throws(AuditFileError) -> Contents {
    let size = try file.size()
    let start = max(size - Int64(Self.window), 0)
    let bytes = try file.read(at: start, count: Int(clamping: size - start))
    let text = AuditText(bytes)
    guard let last = text.lastSeal(before: bytes.endIndex) else {
      tail = bytes
      return start == 0 ? .unfinished : .foreign
    }
    guard let seal = AuditBatchSeal(line: Array(bytes[last])), seal.isAuthentic(unsealed) else {
      return .foreign
    }
    // The lines between the closing line before and this one must lead to the head it names.
    let before = text.lastSeal(before: last.lowerBound)
    guard before != nil || start == 0 else { return .foreign }
    let lines = bytes[(before.map { $0.upperBound + 1 } ?? 0)..<last.lowerBound]
    let row = OutboxRow(
      batch: seal.number, firstSeq: seal.first, lastSeq: seal.last, lines: Array(lines), mac: seal.mac)
    var chain: AuditChain?
    guard let batch = AuditBatch(row, continuing: &chain), batch.seal == seal else { return .foreign }
    tail = Array(bytes[(last.upperBound + 1)...])
    appended = Place(
      batch: seal.number, line: seal.last, end: start + Int64(last.upperBound) + 1)
    durable = appended
    return .sealed(seal)
  }
}

/// The text of a segment, searched from its end.
private struct AuditText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The last closing line that ends before a place, without its line feed.
  func lastSeal(before place: Int) -> Range<Int>? {
    var end = place
    while let feed = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) {
      let start = bytes[..<feed].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      if bytes[start..<feed].starts(with: AuditBatchSeal.prefix) { return start..<feed }
      end = feed
    }
    return nil
  }
}
