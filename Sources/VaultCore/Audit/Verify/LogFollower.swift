import VaultCrypto
import WireCoding

/// Follows a log line by line: what may come next, and what has come.
///
/// A value: a copy follows another way of reading the same text.
struct LogFollower {
  /// The key that checkpoints must be signed with; the first one's, when none was given.
  private(set) var key: [UInt8]?
  /// The vault's identifier, once it is known.
  private(set) var vaultID: [UInt8]?
  /// Whether a line was seen: prune records stand before all of them.
  private(set) var hasBegun = false
  /// The checkpoint that a prune record is to follow.
  private(set) var pending: AuditCheckpoint?
  /// Where the lines may begin: at the beginning of the log, and behind each prune record.
  ///
  /// Once they have begun, the records of lines that are still to come.
  private var beginnings: [Beginning] = []

  /// The last line, zero before the first.
  private(set) var sequence: Int64 = 0
  /// Its digest; `nil` when it is not known, and so whatever the next line says.
  private(set) var head: [UInt8]?
  /// The last batch that was closed; `nil` when it is not known.
  private(set) var batch: Int64? = 0
  /// The first line that no batch has yet, one more than ``sequence`` when there is none; `nil` when
  /// it is not known.
  private(set) var opened: Int64? = 1
  /// The last line that the last checkpoint covers; `nil` when it is not known.
  private(set) var since: Int64? = 0
  /// The text since that checkpoint's line, itself included; `nil` when it is not known.
  private var window: BLAKE2bStream? = BLAKE2bStream()

  /// What the first line names as the digest of the one before, while nobody has vouched for it.
  private(set) var unprovenStart: (previous: [UInt8], place: LogPlace)?
  /// Where line ``sequence`` stands.
  private(set) var lastLine: LogPlace?
  /// How many closing lines have come since the last checkpoint, and where the first one stands.
  private(set) var seals: (count: Int, first: LogPlace?) = (0, nil)
  private(set) var report = AuditReport()

  /// Where the lines may begin.
  private struct Beginning {
    var sequence: Int64
    var head: [UInt8]?
    var batch: Int64
    var window: BLAKE2bStream
  }

  /// Starts before the first line.
  ///
  /// - Parameters:
  ///   - key: the key that checkpoints must be signed with, if it is known.
  ///   - vaultID: the vault's identifier, if it is known.
  init(key: [UInt8]?, vaultID: [UInt8]?) {
    self.key = key
    self.vaultID = vaultID
    head = vaultID.map { BLAKE2b.hash($0.span) }
    beginnings = [Beginning(sequence: 0, head: head, batch: 0, window: BLAKE2bStream())]
  }

  /// Starts behind a line whose surroundings are not known.
  init(behind line: LogItem.Line, digest: [UInt8], as follower: LogFollower) {
    key = follower.key
    vaultID = follower.vaultID
    hasBegun = true
    sequence = line.sequence
    head = digest
    batch = nil
    opened = nil
    since = nil
    window = nil
  }

  /// Whether the log may end here.
  var isClosed: Bool { pending == nil && (opened.map { $0 > sequence } ?? false) }

  /// Whether line ``sequence`` is another one than a prune record vouches for.
  var contradictsRecord: Bool {
    guard hasBegun, let next = beginnings.first, next.sequence == sequence else { return false }
    return next.head != head
  }

  /// Whether a line may come next.
  func fits(_ item: LogItem) -> Bool {
    guard item.isWhole else { return false }
    return switch item.kind {
    case .line(let line): fits(line)
    case .seal(let seal): fits(seal)
    case .checkpoint(let checkpoint): hasBegun ? fits(checkpoint) : isClosing(checkpoint)
    case .pruned(let record): fits(record)
    case .other: false
    }
  }

  private func fits(_ line: LogItem.Line) -> Bool {
    guard pending == nil else { return false }
    guard hasBegun else { return beginning(of: line) != nil }
    return line.sequence == sequence + 1 && head.map { $0 == line.previous } ?? true
  }

  private func beginning(of line: LogItem.Line) -> Beginning? {
    beginnings.last {
      $0.sequence == line.sequence - 1 && ($0.head.map { $0 == line.previous } ?? true)
    }
  }

  private func fits(_ seal: AuditBatchSeal) -> Bool {
    hasBegun && !isClosed && seal.last == sequence && seal.head == head
      && opened.map { $0 == seal.first } ?? true && batch.map { $0 + 1 == seal.number } ?? true
  }

  private func fits(_ checkpoint: AuditCheckpoint) -> Bool {
    isClosed && checkpoint.sequence == sequence && checkpoint.head == head
      && batch.map { $0 == checkpoint.batch } ?? true
      && since.map { $0 == checkpoint.since } ?? true && isOurs(checkpoint)
      && unprovenStart.map { $0.previous == BLAKE2b.hash(checkpoint.vaultID.span) } ?? true
      && window.map { $0.digest() == checkpoint.digest } ?? true && checkpoint.isSigned
  }

  /// The closing line of a segment that was taken away stands before its prune record.
  private func isClosing(_ checkpoint: AuditCheckpoint) -> Bool {
    pending == nil && checkpoint.sequence > sequence && isOurs(checkpoint) && checkpoint.isSigned
  }

  private func fits(_ record: AuditPruneRecord) -> Bool {
    guard !hasBegun, let pending else { return false }
    return record.sequence == pending.sequence && record.since == sequence
      && record.batch == pending.batch && record.head == pending.head && isOurs(record)
      && record.digest == BLAKE2b.hash(pending.line.span) && record.isSigned
  }

  /// Whether a statement names the key and the vault that all of the log has.
  func isOurs<Kind>(_ statement: AuditStatement<Kind>) -> Bool {
    key.map { $0 == statement.key } ?? true && vaultID.map { $0 == statement.vaultID } ?? true
  }

  /// Takes a line that fits.
  mutating func advance(_ item: LogItem) {
    switch item.kind {
    case .line(let line): advance(line, item)
    case .seal(let seal): advance(seal, item)
    case .checkpoint(let checkpoint): advance(checkpoint, item)
    case .pruned(let record): advance(record)
    case .other: break
    }
  }

  private mutating func advance(_ line: LogItem.Line, _ item: LogItem) {
    if !hasBegun {
      if let start = beginning(of: line) { begin(at: start) }
      if head == nil { unprovenStart = (line.previous, item.place) }
      hasBegun = true
    }
    beginnings.removeAll { $0.sequence < line.sequence }
    sequence = line.sequence
    head = item.digest
    lastLine = item.place
    cover(item)
    report.take(line)
  }

  private mutating func begin(at start: Beginning) {
    sequence = start.sequence
    head = start.head
    batch = start.batch
    opened = start.sequence + 1
    since = start.sequence
    window = start.window
  }

  private mutating func advance(_ seal: AuditBatchSeal, _ item: LogItem) {
    batch = seal.number
    opened = sequence + 1
    seals = (seals.count + 1, seals.first ?? item.place)
    cover(item)
    report.batches += 1
  }

  private mutating func advance(_ checkpoint: AuditCheckpoint, _ item: LogItem) {
    key = checkpoint.key
    vaultID = checkpoint.vaultID
    guard hasBegun else { return pending = checkpoint }
    unprovenStart = nil
    since = checkpoint.sequence
    window = BLAKE2bStream()
    seals = (0, nil)
    cover(item)
    report.checkpoints += 1
    report.checkpoint = checkpoint.sequence
  }

  private mutating func advance(_ record: AuditPruneRecord) {
    guard let closing = pending?.line else { return }
    pending = nil
    var window = BLAKE2bStream()
    window.update(closing.span)
    let start = Beginning(
      sequence: record.sequence, head: record.head, batch: record.batch, window: window)
    if let vaultID { beginnings[0].head = BLAKE2b.hash(vaultID.span) }
    beginnings.append(start)
    begin(at: start)
    report.pruned = record.sequence
  }

  private mutating func cover(_ item: LogItem) {
    window?.update(item.octets.span)
    window?.update([UInt8(ascii: "\n")].span)
  }
}
