import VaultStore
import WireCoding

/// Keeps the audit segments up to date with the database; used by the committer's thread alone.
///
/// The database is the truth: a batch is committed there with its lines in the outbox,
/// and only then appended to a segment. A segment that cannot be written is tried again from the
/// outbox with each batch, so nothing is lost while the outbox grows.
final class AuditExporter {
  /// What the committer brings along.
  struct Context {
    /// Reads the outbox.
    let writer: LedgerWriter
    /// The keys, and the state of the last commit.
    let unsealed: UnsealedLedger
    /// The time that checkpoints bear.
    let time: Timestamp
  }

  private static let mostUnsynchronised: Int64 = 4 << 20

  let source: any AuditSource
  /// After how many octets a segment is closed.
  private let segmentSize: Int64
  /// Whether the log is written: since the vault was unsealed.
  private var isOpen = false
  /// The segment that is written; `nil` while there is none that can be.
  var segment: AuditSegment?
  /// Whether the outbox holds batches that the segment should have.
  private(set) var isBehind = false
  /// Outbox rows up to this batch were removed.
  var deleted: Int64 = 0
  /// The last line that was appended.
  private var line: Int64 = 0
  /// Why the log could not be written, or no segment be begun, the last time that was tried.
  private var writing: AuditFileError?
  private var rotating: AuditFileError?
  /// Set when segments that could not be read before prove to be newer than the database.
  private(set) var contradiction: VaultError?
  /// Segments that a record was written for, and that are to be removed.
  var pruning: [Int64] = []
  /// The newest checkpoint of this time, and whether somebody has taken it.
  private var newest: AuditCheckpoint?
  private var isTaken = true
  /// What was found and not taken yet.
  private(set) var findings: [AuditFinding] = []
  /// What was found each time that the segments were looked at.
  private var told: Set<AuditFinding> = []
  /// The closed segments, with their octets.
  var closed: [Int64: Int64] = [:]

  /// Writes segments of about this many octets.
  init(source: any AuditSource, segmentSize: Int64) {
    self.source = source
    self.segmentSize = segmentSize
  }

  /// The last batch that survives power loss in the segment; outbox rows up to it may go.
  var synchronised: Int64 { segment?.synchronised ?? 0 }

  /// Why the log cannot be written as it should, `nil` when it can.
  var trouble: AuditFileError? { writing ?? rotating }

  /// How many lines the segment is behind the database; zero while sealed.
  func lag(behind last: Int64) -> Int64 { isOpen ? last - line : 0 }

  /// The lines and octets of the segment that power loss could take; none while sealed.
  var unsynchronised: (lines: Int64, octets: Int64) {
    segment.map { ($0.unsynchronisedLines, $0.unsynchronised) } ?? (0, 0)
  }

  /// What was found since the last call.
  func takeFindings() -> [AuditFinding] {
    defer { findings = [] }
    return findings
  }

  /// The newest checkpoint that was made since the last call.
  func takeCheckpoint() -> AuditCheckpoint? {
    defer { isTaken = true }
    return isTaken ? nil : newest
  }

  /// Keeps what was found until it is taken.
  func note(_ finding: AuditFinding) {
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// Keeps what will be found again each time, and is to be told once.
  func noteOnce(_ finding: AuditFinding) {
    if told.insert(finding).inserted { note(finding) }
  }

  /// Starts to write behind a place.
  ///
  /// - Parameters:
  ///   - position: the last batch that the segments have.
  ///   - deleted: the last batch that the outbox does not have any more.
  func open(behind position: AuditPosition, deleted: Int64) {
    isOpen = true
    isBehind = true
    line = position.chain.sequence
    self.deleted = deleted
    rotating = nil
    closed = [:]
  }

  /// Appends committed batches, after those that could not be appended before.
  ///
  /// Where there is no segment that can be written, this is left to ``catchUp(_:)``: all segments have
  /// to be looked at for that, too much for each batch.
  func export(_ batches: [AuditBatch], _ context: Context) {
    if isBehind { return segment == nil ? () : catchUp(context) }
    do throws(AuditFileError) {
      for batch in batches where batch.number > segment?.appended.batch ?? .max {
        try append(batch, context)
      }
    } catch {
      return recover(from: error, context)
    }
    line = segment?.appended.position.chain.sequence ?? line
    // What is not durable is read again after a crash, all at once.
    if segment?.unsynchronised ?? 0 > Self.mostUnsynchronised { synchronise(context) }
  }

  /// Appends what could not be appended before.
  func catchUp(_ context: Context) {
    guard isOpen, isBehind else { return }
    let newest = context.unsealed.state.epoch
    do {
      if segment == nil { try resume(CommitState(context.unsealed.state), context) }
      guard segment != nil else { return }
      while let next = segment?.appended.batch, next < newest {
        let rows = try context.writer.outbox(from: next + 1, limit: 16)
          .filter { $0.batch <= newest }
        guard !rows.isEmpty else { break }
        for row in rows {
          if let batch = AuditBatch.proven(row, context.unsealed) {
            try append(batch, context)
          } else {
            note(.outbox(batch: row.batch))
            segment?.skip(row.batch)
          }
        }
      }
      line = segment?.appended.position.chain.sequence ?? line
      isBehind = false
      writing = nil
    } catch let error as AuditFileError {
      stop(error)
    } catch let error as VaultError where error == .rolledBack {
      contradiction = error
    } catch { /* The database could not be read; tried again with the next batch. */  }
  }

  /// Makes what was appended durable; a failure is tried again later, from the outbox.
  func synchronise(_ context: Context) {
    do { try segment?.synchronise() } catch { recover(from: error, context) }
  }

  /// Writes a checkpoint behind the last batch, unless the last line is one.
  ///
  /// - Returns: the checkpoint that the log ends with; `nil` when it could not be written.
  func checkpoint(_ context: Context) -> AuditCheckpoint? {
    guard !isBehind, let segment else { return nil }
    do throws(AuditFileError) {
      try checkpoint(segment, context)
      return newest
    } catch {
      recover(from: error, context)
      return nil
    }
  }

  /// Looks whether the closed segments are what they were.
  func watch() {
    guard isOpen, let current = segment?.number, let found = try? source.sizes() else { return }
    for number in closed.keys.sorted() where found[number] != closed[number] {
      note(.changed(segment: number))
    }
    closed = found.filter { $0.key < current }
  }

  /// Lets go of the segment while the vault is sealed.
  func close() {
    isOpen = false
    isBehind = false
    segment = nil
    closed = [:]
    told = []
    pruning = []
    contradiction = nil
    newest = nil
    writing = nil
    rotating = nil
  }

  private func append(_ batch: AuditBatch, _ context: Context) throws(AuditFileError) {
    if let full = segment, full.appended.end >= segmentSize {
      try checkpoint(full, context)
      let number = max(full.appended.position.chain.sequence, full.number) + 1
      // Where no other file can be made the log goes on in this one.
      do throws(AuditFileError) {
        let (made, file) = try make(from: number)
        let text: AuditText
        do throws(AuditFileError) {
          text = try AuditSegments.text(beforeNew: made, line: number, source, context.unsealed)
        } catch {
          // The lines that it was made for are written to this one.
          try? source.remove(made)
          throw error
        }
        segment = full.successor(number: made, file: file, text)
        rotating = nil
      } catch {
        rotating = error
      }
    }
    try segment?.append(batch)
  }

  private func checkpoint(
    _ segment: AuditSegment, _ context: Context
  ) throws(AuditFileError) {
    guard !segment.appended.text.isCovered else { return try segment.finish() }
    newest = try segment.checkpoint(context.unsealed, at: context.time)
    isTaken = false
  }

  /// Stops at a failure, to go on from the outbox.
  func stop(_ error: AuditFileError) {
    isBehind = true
    writing = error
    guard let old = segment, error.isOfFile else { return }
    // Not the file that was written any more, or one that could only be read: what is there has to
    // be looked at anew.
    if error == .cut { note(.cut(segment: old.number)) }
    line = old.appended.position.chain.sequence
    segment = nil
  }

  /// Stops at a failure, and goes on at once where another segment can be found or made.
  private func recover(from error: AuditFileError, _ context: Context) {
    stop(error)
    if segment == nil { catchUp(context) }
  }
}
