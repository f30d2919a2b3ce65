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
    /// No batch that must be durable.
    case unfinished
    /// The last batch that must be durable, as this vault wrote it.
    case sealed(AuditBatchSeal)
    /// That batch was changed, or nothing in it is this vault's.
    case foreign
  }

  /// How far before the debt the last closing line is looked for; a batch is far smaller.
  private static let window: Int64 = 2 << 20

  /// The segment's number.
  let number: Int64
  private let file: any AuditFile
  /// Behind the last batch that was appended.
  private(set) var appended = Place()
  /// Behind the last batch that is known to be on the device.
  private var durable = Place()
  /// Whether ``durable`` was waited for, rather than found.
  private var isSynchronised = false
  /// What stands behind ``appended`` since a crash.
  private(set) var tail: [UInt8] = []

  init(number: Int64, file: any AuditFile) {
    self.number = number
    self.file = file
  }

  /// The last batch that survives power loss; outbox rows up to it may go.
  var synchronised: Int64 { isSynchronised ? durable.batch : 0 }

  /// How many octets power loss could take.
  var unsynchronised: Int64 { appended.end - durable.end }

  /// How many lines power loss could take.
  var unsynchronisedLines: Int64 { appended.line - durable.line }

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

  /// Finds the last batch that must be durable, and what stands behind it.
  ///
  /// Only that batch is checked line by line: what stands before it is not read at the start, and
  /// what stands behind it is compared with the debt.
  ///
  /// - Returns: what the segment holds, and the highest batch of this vault that it names.
  func survey(
    _ debt: AuditDebt, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> (contents: Contents, last: Int64) {
    let size = try file.size()
    let start = max(size - Int64(debt.text.count) - Self.window, 0)
    let bytes = try file.read(at: start, count: Int(clamping: size - start))
    var last: Int64 = 0
    var place = bytes.endIndex
    while let line = Self.sealLine(in: bytes, before: place) {
      place = line.lowerBound
      guard let seal = AuditBatchSeal(line: Array(bytes[line])), seal.isAuthentic(unsealed) else {
        continue
      }
      last = max(last, seal.number)
      guard seal.number < debt.first else { continue }
      let before = Self.sealLine(in: bytes, before: line.lowerBound)
      guard before != nil || start == 0,
        Self.isWhole(seal, bytes[(before.map { $0.upperBound + 1 } ?? 0)..<line.lowerBound])
      else { return (.foreign, last) }
      tail = Array(bytes[(line.upperBound + 1)...])
      appended = Place(
        batch: seal.number, line: seal.last, end: start + Int64(line.upperBound) + 1)
      durable = appended
      return (.sealed(seal), last)
    }
    tail = bytes
    return (start == 0 ? .unfinished : .foreign, last)
  }

  /// Whether lines lead to the head that their closing line names.
  private static func isWhole(_ seal: AuditBatchSeal, _ lines: ArraySlice<UInt8>) -> Bool {
    var chain: AuditChain?
    let row = OutboxRow(
      batch: seal.number, firstSeq: seal.first, lastSeq: seal.last, lines: Array(lines),
      mac: seal.mac)
    return AuditBatch(row, continuing: &chain)?.seal == seal
  }

  /// The last closing line that ends before a place, without its line feed.
  private static func sealLine(in bytes: [UInt8], before place: Int) -> Range<Int>? {
    var end = place
    while let feed = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) {
      let start = bytes[..<feed].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      if bytes[start..<feed].starts(with: AuditBatchSeal.prefix) { return start..<feed }
      end = feed
    }
    return nil
  }
}
