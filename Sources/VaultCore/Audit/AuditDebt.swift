import VaultCrypto
import VaultStore
import WireCoding

/// What the database has committed and a segment need not hold yet: the end of the outbox.
///
/// Rows leave the outbox only once the segment is durable behind them, so everything before the
/// debt must stand in the segments whole, and of the debt any part may have survived a crash.
struct AuditDebt {
  /// The first batch owed; one more than the database has when there is none.
  let first: Int64
  /// The line before it, and the head of the chain there.
  let line: Int64
  let head: [UInt8]
  /// All that is owed.
  let batches: [AuditBatch]
  /// Rows of the outbox that this vault did not write.
  let findings: [AuditFinding]

  /// The digests of the damage that these batches record: it was reported already.
  var recordedDamage: Set<[UInt8]> {
    var digests: Set<[UInt8]> = []
    for line in batches.flatMap({ $0.lines.split(separator: UInt8(ascii: "\n")) }) {
      guard AuditEntry.tellsOfDamage(line) else { continue }
      let fields = String(decoding: line, as: UTF8.self).split(separator: "\"")
      guard let digest = fields.firstIndex(of: "detail_digest"), digest + 2 < fields.endIndex,
        let octets = try? Hex.decode(String(fields[digest + 2]))
      else { continue }
      digests.insert(octets)
    }
    return digests
  }

  /// Where the log stands before what is owed.
  var start: AuditPosition {
    AuditPosition(epoch: first - 1, chain: AuditChain(sequence: line, head: head))
  }

  /// What is missing between a position in the segments and what is owed, or differs there.
  func gap(behind position: AuditPosition) -> AuditFinding? {
    if position.epoch < first - 1 {
      return .tailLost(from: position.epoch + 1, through: first - 1)
    }
    let own = batch(after: position.epoch - 1)?.seal
    let head = position.epoch == first - 1 ? head : own?.head ?? position.chain.head
    return head == position.chain.head ? nil : .differs(batch: position.epoch)
  }

  /// The batch after one, if it is owed.
  func batch(after number: Int64) -> AuditBatch? {
    let (index, overflow) = number.subtractingReportingOverflow(first - 1)
    guard !overflow, batches.indices.contains(Int(index)) else { return nil }
    return batches[Int(index)]
  }

  /// The digest of a line that is owed, or of the one before.
  func head(ofLine number: Int64) -> [UInt8]? {
    if number == line { return head }
    guard let batch = batches.first(where: { $0.first <= number && number <= $0.last }) else {
      return nil
    }
    let lines = batch.lines.split(separator: UInt8(ascii: "\n"))
    return BLAKE2b.hash(Array(lines[Int(number - batch.first)]).span)
  }

  /// How many octets the batches after one have in a segment.
  func octets(after number: Int64) -> Int64 {
    batches.reduce(0) { $0 + ($1.number > number ? Int64($1.exported.count) : 0) }
  }

  /// Whether something in a segment is what a crash may have left of the batches after one.
  ///
  /// A file can have grown before its octets arrived, in any order: what is missing reads as zero,
  /// which no line contains.
  func mayBecome(_ remnant: [UInt8], after number: Int64) -> Bool {
    var rest = remnant[...]
    for batch in batches where batch.number > number && !rest.isEmpty {
      let text = batch.exported
      guard zip(rest, text).allSatisfy({ $0 == $1 || $0 == 0 }) else { return false }
      rest = rest.dropFirst(text.count)
    }
    return rest.isEmpty
  }
}

extension AuditDebt {
  /// Collects the batches that lead to the state row without a gap.
  init(
    to state: CommitState, _ writer: LedgerWriter, _ unsealed: UnsealedLedger
  ) throws(LedgerError) {
    var run = Run()
    var findings: [AuditFinding] = []
    var last: Int64 = 0
    while last < state.epoch {
      let rows = try writer.outbox(from: last + 1, limit: 16).filter { $0.batch <= state.epoch }
      guard let end = rows.last?.batch else { break }
      for row in rows where !run.take(row, unsealed) {
        findings.append(.outbox(batch: row.batch))
        run = Run()
      }
      last = end
    }
    let start = AuditPosition(state, vaultID: unsealed.vaultID)
    if let before = run.before, let chain = run.chain, run.next == state.epoch + 1,
      chain == start.chain
    {
      self.init(
        first: run.first, line: before.sequence, head: before.head, batches: run.batches,
        findings: findings)
    } else {
      // What does not lead to the state row is owed by nobody; the segment must have the rest.
      if run.before != nil { findings.append(.outbox(batch: run.next - 1)) }
      self.init(
        first: state.epoch + 1, line: start.chain.sequence, head: start.chain.head, batches: [],
        findings: findings)
    }
  }

  /// Batches that follow each other.
  private struct Run {
    var before: AuditChain?
    var chain: AuditChain?
    var first: Int64 = 0
    var next: Int64 = 0
    var batches: [AuditBatch] = []

    /// Adds a row, or starts anew with it; `false` when this vault did not write it.
    mutating func take(_ row: OutboxRow, _ unsealed: UnsealedLedger) -> Bool {
      guard let batch = AuditBatch.proven(row, unsealed) else { return false }
      if before == nil || row.batch != next || AuditBatch(row, continuing: &chain) == nil {
        self = Run()
        before = AuditChain(before: row)
        first = row.batch
        guard AuditBatch(row, continuing: &chain) != nil else { return false }
      }
      next = row.batch + 1
      batches.append(batch)
      return true
    }
  }
}

extension AuditBatch {
  /// Reads a batch out of the outbox, if this vault wrote it.
  static func proven(_ row: OutboxRow, _ unsealed: UnsealedLedger) -> AuditBatch? {
    var chain: AuditChain?
    guard let batch = AuditBatch(row, continuing: &chain), batch.seal.isAuthentic(unsealed) else {
      return nil
    }
    return batch
  }
}
