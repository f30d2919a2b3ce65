import VaultStore

/// Keeps the audit segments up to date with the database; used by the committer's thread alone.
///
/// The database is the truth (design §2): a batch is committed there with its lines in the outbox,
/// and only then appended to a segment. A segment that cannot be written is tried again from the
/// outbox, so nothing is lost while the outbox may grow.
final class AuditExporter {
  private let source: any AuditSource
  private var segment: AuditSegment?
  private var isBehind = false
  /// Outbox rows up to this batch were removed.
  var deleted: Int64 = 0

  init(source: any AuditSource) {
    self.source = source
  }

  /// The last batch that was appended.
  private var appended: Int64 { segment?.appended ?? 0 }

  /// The last batch that survives power loss in the segment; outbox rows up to it may go.
  var synchronised: Int64 { segment?.synchronised ?? 0 }

  /// How many batches are appended but not yet durable.
  var unsynchronised: Int64 { appended - synchronised }

  /// How many batches the segment is behind the database; zero while sealed.
  func lag(behind epoch: Int64) -> Int64 {
    segment == nil ? 0 : epoch - appended
  }

  /// Appends a committed batch, or takes note that it must be caught up on.
  func export(_ batch: AuditBatch) {
    guard !isBehind, let segment else { return }
    do { try segment.append(batch) } catch { isBehind = true }
  }

  /// Appends what could not be appended before.
  func catchUp(_ writer: LedgerWriter, _ unsealed: UnsealedLedger) {
    guard isBehind, let segment else { return }
    do {
      for row in try writer.allOutbox(from: segment.appended + 1) {
        var chain: AuditChain?
        guard let batch = AuditBatch(row, continuing: &chain), batch.seal.isAuthentic(unsealed)
        else { return }
        try segment.append(batch)
      }
      isBehind = false
    } catch { /* Tried again at the next pause. */  }
  }

  /// Makes what was appended durable; a failure is tried again later, from the outbox.
  func synchronise() {
    guard let segment else { return }
    do { try segment.synchronise() } catch { isBehind = true }
  }

  /// Goes on with the newest segment after the vault was unsealed.
  ///
  /// - Parameters:
  ///   - state: the proven state row.
  ///   - rows: the outbox up to it.
  /// - Returns: what is wrong with the segment, if the log goes on in a new one.
  /// - Throws: ``VaultError`` `damaged` when the database is older than the segment: it was rolled
  ///   back, perhaps to a time before a revocation. `audit_unavailable` when no file can be had.
  func resume(
    _ state: CommitState, outbox rows: [OutboxRow], _ unsealed: UnsealedLedger
  ) throws(VaultError) -> String? {
    var batches: [AuditBatch] = []
    for row in rows {
      var chain: AuditChain?
      guard let batch = AuditBatch(row, continuing: &chain), batch.seal.isAuthentic(unsealed)
      else { continue }
      batches.append(batch)
    }
    do throws(AuditFileError) {
      let newest = AuditSegment(file: try source.openNewest())
      do throws(AuditSegment.Mismatch) {
        try newest.recover(outbox: batches, newest: state, unsealed)
        take(newest)
        return nil
      } catch {
        guard !error.isRollback else { throw AuditFileError.rolledBack }
        if case .file(let code) = error { throw AuditFileError(code: code) }
        let first = batches.first?.first ?? state.seq + 1
        let fresh = AuditSegment(file: try source.makeSegment(first: first))
        try fresh.begin(with: batches, after: state)
        take(fresh)
        return error.words
      }
    } catch {
      if error == .rolledBack {
        throw VaultError(
          .damaged,
          "the audit log is newer than the database, which was rolled back: restore a backup")
      }
      throw .auditUnavailable
    }
  }

  private func take(_ segment: AuditSegment) {
    self.segment = segment
    isBehind = false
    deleted = 0
  }

  /// Lets go of the segment while the vault is sealed.
  func close() {
    synchronise()
    segment = nil
  }
}
