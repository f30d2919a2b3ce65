import VaultStore

/// What the database has committed and the segments do not hold yet, proven against both.
struct AuditDebt {
  /// The last batch that the segments hold, or that lies before the first one owed.
  private(set) var place: AuditSegment.Place
  /// The beginning of what is owed, as it stands in a segment.
  private(set) var start: [UInt8] = []
  /// What is wrong with it.
  private(set) var findings: [AuditFinding] = []

  /// Walks the outbox from the last batch of the segments to the state row.
  ///
  /// - Parameters:
  ///   - seal: the last batch of the segments, `nil` when they hold none.
  ///   - length: how much of the beginning is wanted.
  init(
    after seal: AuditBatchSeal?, to state: CommitState, _ writer: LedgerWriter,
    _ unsealed: UnsealedLedger, length: Int
  ) throws(LedgerError) {
    place = AuditSegment.Place(batch: seal?.number ?? 0, line: seal?.last ?? 0)
    var chain: AuditChain? =
      seal.map { AuditChain(sequence: $0.last, head: $0.head) }
      ?? AuditChain(vaultID: unsealed.vaultID)
    var last = place.batch
    while last < state.epoch {
      let rows = try writer.outbox(from: last + 1, limit: 16).filter { $0.batch <= state.epoch }
      guard !rows.isEmpty else { break }
      for row in rows {
        guard let batch = AuditBatch.proven(row, unsealed) else {
          findings.append(.outbox(batch: row.batch))
          chain = nil
          last = row.batch
          continue
        }
        check(batch, row, last, &chain)
        if start.count < length { start.append(contentsOf: batch.exported) }
        last = batch.number
      }
    }
    if last < state.epoch {
      findings.append(.tailLost(from: last + 1, through: state.epoch))
      if start.isEmpty { place = AuditSegment.Place(batch: state.epoch, line: state.seq) }
    } else if let chain, chain.head != state.chainHead, state.epoch > 0 {
      findings.append(.differs(batch: state.epoch))
    }
  }

  /// Whether a batch follows the one before it; one that does not is followed from all the same.
  private mutating func check(
    _ batch: AuditBatch, _ row: OutboxRow, _ last: Int64, _ chain: inout AuditChain?
  ) {
    if batch.number > last + 1 {
      findings.append(.tailLost(from: last + 1, through: batch.number - 1))
      if start.isEmpty {
        place = AuditSegment.Place(batch: batch.number - 1, line: batch.first - 1)
      }
      chain = nil
    }
    if AuditBatch(row, continuing: &chain) == nil {
      findings.append(.differs(batch: last))
      chain = nil
      _ = AuditBatch(row, continuing: &chain)
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
