import VaultStore

/// One audit segment: what is in it, and what must still go in.
///
/// The database is the truth (design §2): a batch is committed there with its lines in the outbox,
/// and only then appended here. Used by the committer's thread alone.
final class AuditSegment {
  /// Why the segment and the database do not fit together.
  enum Mismatch: Error, Hashable, Sendable {
    /// The segment holds batches that the database does not know: the database was rolled back.
    case databaseBehind(segment: Int64, database: Int64)
    /// Batches are in neither the segment nor the outbox: the end of the segment was lost.
    case tailLost(from: Int64, through: Int64)
    /// The segment's last batch differs from the one the database has.
    case differs(batch: Int64)
    /// What follows the last whole batch is not the beginning of the next one.
    case strangeTail(offset: Int64)
    /// The segment could not be read or written; the `errno`.
    case file(Int32)

    /// Whether the database is older than the segment.
    var isRollback: Bool {
      if case .databaseBehind = self { true } else { false }
    }

    /// The `errno` of a failed file operation, zero for anything else.
    var code: Int32 {
      if case .file(let code) = self { code } else { 0 }
    }

    /// The mismatch in plain words.
    var words: String {
      switch self {
      case .databaseBehind: "the database is older than the audit log"
      case .tailLost(let from, let through):
        "audit batches \(from) to \(through) were lost from the end of the log"
      case .differs(let batch): "audit batch \(batch) is not the one this vault wrote"
      case .strangeTail(let offset):
        "the audit segment holds foreign text from octet \(offset) on"
      case .file(let code): "the audit segment cannot be used (errno \(code))"
      }
    }
  }

  /// How far back the last closing line is looked for; a batch is far smaller.
  private static let window = 8 << 20

  private let file: any AuditFile
  /// The last batch that was appended.
  private(set) var appended: Int64 = 0
  /// The last batch that survives power loss; outbox rows up to it may go.
  private(set) var synchronised: Int64 = 0
  /// Where the last whole batch ends.
  private var end: Int64 = 0

  init(file: any AuditFile) {
    self.file = file
  }

  /// Appends a committed batch; what a failed attempt left is cut off first.
  func append(_ batch: AuditBatch) throws(Mismatch) {
    do throws(AuditFileError) {
      if try file.size() != end { try file.truncate(to: end) }
      let text = batch.exported
      try file.append(text)
      end += Int64(text.count)
      appended = batch.number
    } catch {
      throw .file(error.code)
    }
  }

  /// Makes what was appended durable.
  func synchronise() throws(Mismatch) {
    guard synchronised < appended else { return }
    do throws(AuditFileError) {
      try file.synchronise()
      synchronised = appended
    } catch {
      throw .file(error.code)
    }
  }

  /// Brings the segment up to the database after a start.
  ///
  /// - Parameters:
  ///   - outbox: the authentic batches that the database still holds, in order.
  ///   - newest: the proven state row.
  func recover(
    outbox: [AuditBatch], newest: CommitState, _ unsealed: UnsealedLedger
  ) throws(Mismatch) {
    let (seal, sealEnd, tail) = try lastSeal()
    let held = seal?.number ?? 0
    if let seal {
      guard seal.isAuthentic(unsealed) else { throw .differs(batch: seal.number) }
      guard held <= newest.epoch else {
        throw .databaseBehind(segment: held, database: newest.epoch)
      }
      guard held != newest.epoch || seal.head == newest.chainHead else {
        throw .differs(batch: held)
      }
    }
    let missing = outbox.filter { $0.number > held }
    var next = held
    for batch in missing {
      guard batch.number == next + 1 else { throw .tailLost(from: next + 1, through: batch.number) }
      next = batch.number
    }
    guard next == newest.epoch else { throw .tailLost(from: next + 1, through: newest.epoch) }
    // What a crash left behind the last whole batch can only be the beginning of the next ones.
    guard missing.flatMap(\.exported).starts(with: tail) else {
      throw .strangeTail(offset: sealEnd)
    }
    end = sealEnd
    appended = held
    for batch in missing { try append(batch) }
    try synchronise()
    synchronised = appended
  }

  /// Starts as a new segment with what the outbox holds.
  func begin(with batches: [AuditBatch], after state: CommitState) throws(AuditFileError) {
    appended = batches.first.map { $0.number - 1 } ?? state.epoch
    do throws(Mismatch) {
      for batch in batches { try append(batch) }
      try synchronise()
    } catch {
      throw AuditFileError(code: error.code)
    }
    synchronised = appended
  }

  /// Finds the last whole batch, and the bytes that a crash left after it.
  private func lastSeal() throws(Mismatch) -> (AuditBatchSeal?, Int64, ArraySlice<UInt8>) {
    let size: Int64
    let bytes: [UInt8]
    let start: Int64
    do throws(AuditFileError) {
      size = try file.size()
      start = max(size - Int64(Self.window), 0)
      bytes = try file.read(at: start, count: Int(size - start))
    } catch {
      throw .file(error.code)
    }
    var lineEnd = bytes.endIndex
    while let feed = bytes[..<lineEnd].lastIndex(of: UInt8(ascii: "\n")) {
      let before = bytes[..<feed].lastIndex(of: UInt8(ascii: "\n"))
      let lineStart = before.map { $0 + 1 } ?? bytes.startIndex
      let line = Array(bytes[lineStart..<feed])
      if line.starts(with: AuditBatchSeal.prefix) {
        guard let seal = AuditBatchSeal(line: line) else {
          throw .strangeTail(offset: start + Int64(lineStart))
        }
        return (seal, start + Int64(feed) + 1, bytes[(feed + 1)...])
      }
      lineEnd = feed
    }
    guard start == 0 else { throw .strangeTail(offset: start) }
    return (nil, 0, bytes[...])
  }
}
