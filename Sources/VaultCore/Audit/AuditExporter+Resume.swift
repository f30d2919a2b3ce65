import Glibc
import VaultStore

extension AuditExporter {
  /// Goes on where the log ends: after the vault was unsealed, or when the segment in use proved to
  /// be another one.
  ///
  /// What is owed is appended by ``catchUp(_:)``. Where the segments cannot be read or written, the
  /// log stays behind and both are tried again each second: the lines are safe in the database,
  /// and segments that are not there now could as well have been removed.
  ///
  /// - Parameters:
  ///   - state: the proven state row.
  ///   - context: the keys, and what reads the outbox.
  /// - Throws: ``VaultError`` `damaged` when the database is older than the segment: it was rolled
  ///   back, perhaps to a time before a revocation.
  func resume(_ state: CommitState, _ context: Context) throws(VaultError) {
    let debt: AuditDebt
    do { debt = try AuditDebt(to: state, context.writer, context.unsealed) } catch {
      throw VaultError(error)
    }
    let survey: AuditSurvey
    do throws(AuditFileError) {
      survey = try AuditSurvey(source, debt, context.unsealed)
    } catch {
      open(behind: debt.start, deleted: debt.first - 1)
      noteOnce(.unreadable(error.code))
      return stop(error)
    }
    guard survey.last <= state.epoch else { throw .rolledBack }
    tell(survey, debt)
    open(behind: survey.segment?.appended.position ?? survey.fresh, deleted: debt.first - 1)
    do throws(AuditFileError) {
      segment = if let found = survey.segment { found } else { try begin(survey, context) }
    } catch {
      stop(error)
    }
  }

  /// Keeps what is wrong with the segments.
  private func tell(_ survey: AuditSurvey, _ debt: AuditDebt) {
    // A new segment holds nothing that must be durable until its first rows leave the outbox; what
    // led to it is told once. A segment that stands behind it is none of its past.
    let recorded = debt.recordedDamage
    let number = survey.segment?.number ?? survey.free
    for finding in debt.findings + survey.findings
    where finding.segment ?? 0 >= number || !recorded.contains(finding.digest) {
      noteOnce(finding)
    }
    for finding in survey.breaks { noteOnce(finding) }
  }

  /// Makes the segment that a log goes on in.
  private func begin(
    _ survey: AuditSurvey, _ context: Context
  ) throws(AuditFileError) -> AuditSegment {
    let (number, file) = try make(from: survey.free)
    let text = try AuditSegments.text(
      beforeNew: number, line: survey.fresh.chain.sequence + 1, source, context.unsealed)
    return AuditSegment(
      number: number, file: file, at: AuditSegment.Place(behind: survey.fresh, text))
  }

  /// Makes a segment; names that something else has are passed over.
  ///
  /// An empty file is what an attempt left that failed behind that, or a crash.
  func make(from number: Int64) throws(AuditFileError) -> (number: Int64, file: any AuditFile) {
    var next = number
    while true {
      do throws(AuditFileError) {
        return (next, try source.make(next))
      } catch {
        guard error.code == EEXIST, next < number + 100 else { throw error }
        if let found = try? source.open(next), (try? found.size()) == 0 { return (next, found) }
        noteOnce(.inTheWay(segment: next))
        next += 1
      }
    }
  }
}

extension VaultError {
  /// The refusal of a database that is older than the log, or than a checkpoint of it.
  static let rolledBack = VaultError(
    .damaged, "the audit log is newer than the database, which was rolled back: restore a backup")
}
