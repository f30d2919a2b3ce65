import Glibc
import VaultStore

/// Keeps the audit segments up to date with the database; used by the committer's thread alone.
///
/// The database is the truth: a batch is committed there with its lines in the outbox,
/// and only then appended to a segment. A segment that cannot be written is tried again from the
/// outbox with each batch, so nothing is lost while the outbox grows.
final class AuditExporter {
  private static let mostUnsynchronised: Int64 = 4 << 20

  private let source: any AuditSource
  private var segment: AuditSegment?
  /// Whether the outbox holds batches that the segment should have.
  private var isBehind = false
  /// Outbox rows up to this batch were removed.
  var deleted: Int64 = 0
  private var findings: [AuditFinding] = []

  init(source: any AuditSource) {
    self.source = source
  }

  /// The last batch that survives power loss in the segment; outbox rows up to it may go.
  var synchronised: Int64 { segment?.synchronised ?? 0 }

  /// How many lines the segment is behind the database; zero while sealed.
  func lag(behind line: Int64) -> Int64 {
    segment.map { line - $0.appended.line } ?? 0
  }

  /// The lines and octets of the segment that power loss could take; none while sealed.
  var unsynchronised: (lines: Int64, octets: Int64) {
    segment.map { ($0.unsynchronisedLines, $0.unsynchronised) } ?? (0, 0)
  }

  /// What was found since the last call.
  func takeFindings() -> [AuditFinding] {
    defer { findings = [] }
    return findings
  }

  private func note(_ finding: AuditFinding) {
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// Appends committed batches, after those that could not be appended before.
  func export(_ batches: [AuditBatch], _ writer: LedgerWriter, _ unsealed: UnsealedLedger) {
    if isBehind { return catchUp(writer, unsealed) }
    guard let segment else { return }
    for batch in batches where batch.number > segment.appended.batch {
      do { try segment.append(batch) } catch {
        isBehind = true
        return replace(error)
      }
    }
    // What is not durable is read again after a crash, all at once.
    if segment.unsynchronised > Self.mostUnsynchronised { synchronise() }
  }

  /// Appends what could not be appended before.
  func catchUp(_ writer: LedgerWriter, _ unsealed: UnsealedLedger) {
    guard isBehind, let segment else { return }
    let newest = unsealed.state.epoch
    do {
      while segment.appended.batch < newest {
        let rows = try writer.outbox(from: segment.appended.batch + 1, limit: 16)
          .filter { $0.batch <= newest }
        guard !rows.isEmpty else { break }
        for row in rows {
          if let batch = AuditBatch.proven(row, unsealed) {
            try segment.append(batch)
          } else {
            note(.outbox(batch: row.batch))
            segment.skip(row.batch)
          }
        }
      }
      isBehind = false
    } catch let error as AuditFileError {
      replace(error)
    } catch { /* The database could not be read; tried again with the next batch. */  }
  }

  /// Makes what was appended durable; a failure is tried again later, from the outbox.
  func synchronise() {
    guard let segment else { return }
    do { try segment.synchronise() } catch {
      isBehind = true
      replace(error)
    }
  }

  /// Goes on in a new segment when the old one was taken away; other failures are tried again.
  private func replace(_ error: AuditFileError) {
    guard error == .cut, let old = segment else { return }
    do {
      let made = try make(from: old.number + 1)
      made.start(after: old.synchronised, line: old.appended.line)
      note(.cut(segment: old.number))
      segment = made
    } catch { /* Tried again with the next batch. */  }
  }

  /// Goes on with the newest segment after the vault was unsealed.
  ///
  /// When that does not fit the database, a new one is begun. What is owed is appended by
  /// ``catchUp(_:_:)``.
  ///
  /// - Parameters:
  ///   - state: the proven state row.
  ///   - writer: reads the outbox.
  ///   - unsealed: the keys.
  /// - Throws: ``VaultError`` `damaged` when the database is older than the segment: it was rolled
  ///   back, perhaps to a time before a revocation. `audit_unavailable` when the segments cannot be
  ///   read, or none can be made.
  func resume(
    _ state: CommitState, _ writer: LedgerWriter, _ unsealed: UnsealedLedger
  ) throws(VaultError) {
    do {
      let debt = try AuditDebt(to: state, writer, unsealed)
      let survey = try AuditSurvey(source, debt, unsealed)
      guard survey.last <= state.epoch else {
        throw VaultError(
          .damaged,
          "the audit log is newer than the database, which was rolled back: restore a backup")
      }
      findings = debt.findings + survey.findings
      let gap = Self.gap(between: survey, debt)
      if let gap { note(gap) }
      let whole = gap == nil ? survey.newest.map { [$0.segment] } ?? [] : []
      let chosen = (survey.unfinished + whole).first { segment in
        if debt.mayBecome(segment.tail) { return true }
        note(.strangeText(segment: segment.number, offset: segment.appended.end))
        return false
      }
      let segment = if let chosen { chosen } else { try make(from: survey.free) }
      if segment !== survey.newest?.segment {
        let seal = gap == nil ? nil : survey.newest?.seal
        segment.start(after: seal?.number ?? debt.first - 1, line: seal?.last ?? debt.line)
      }
      take(segment)
      // A new segment holds nothing that must be durable until its first rows leave the outbox; what
      // led to it is told once. A segment that stands behind it is none of its past.
      let recorded = debt.recordedDamage
      findings.removeAll { $0.segment ?? 0 < segment.number && recorded.contains($0.digest) }
    } catch let error as VaultError {
      throw error
    } catch let error as LedgerError {
      throw VaultError(error)
    } catch let error as AuditFileError {
      throw VaultError(
        .auditUnavailable, "the audit directory cannot be used: \(error.words)", retry: true)
    } catch {
      throw .auditUnavailable
    }
  }

  /// What is missing between the last durable batch of the segments and the debt.
  private static func gap(between survey: AuditSurvey, _ debt: AuditDebt) -> AuditFinding? {
    guard let seal = survey.newest?.seal else {
      // What a changed segment held is not lost, though nobody can tell how much that was.
      guard debt.first > 1, survey.findings.isEmpty else { return nil }
      return .tailLost(from: 1, through: debt.first - 1)
    }
    guard seal.number == debt.first - 1 else {
      return .tailLost(from: seal.number + 1, through: debt.first - 1)
    }
    return seal.head == debt.head ? nil : .differs(batch: seal.number)
  }

  private func make(from number: Int64) throws(AuditFileError) -> AuditSegment {
    var next = number
    while true {
      do throws(AuditFileError) {
        return AuditSegment(number: next, file: try source.make(next))
      } catch {
        guard error.code == EEXIST, next < number + 100 else { throw error }
        next += 1
      }
    }
  }

  private func take(_ segment: AuditSegment) {
    self.segment = segment
    isBehind = true
    deleted = 0
  }

  /// Lets go of the segment while the vault is sealed.
  func close() {
    synchronise()
    segment = nil
  }
}
