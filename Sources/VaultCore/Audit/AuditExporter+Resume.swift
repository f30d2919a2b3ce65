import VaultStore

extension AuditExporter {
  /// Goes on where the log ends: after the vault was unsealed, or when the segment in use proved to
  /// be another one.
  ///
  /// What is owed is appended by ``catchUp(_:)``.
  ///
  /// - Parameters:
  ///   - state: the proven state row.
  ///   - context: the keys, and what reads the outbox.
  /// - Throws: ``VaultError`` `damaged` when the database is older than the segment: it was rolled
  ///   back, perhaps to a time before a revocation. `audit_unavailable` when the segments cannot be
  ///   read, or none can be made.
  func resume(_ state: CommitState, _ context: Context) throws(VaultError) {
    do {
      let debt = try AuditDebt(to: state, context.writer, context.unsealed)
      let survey = try AuditSurvey(source, debt, context.unsealed)
      guard survey.last <= state.epoch else { throw VaultError.rolledBack }
      let chosen: AuditSegment
      if let found = survey.segment {
        chosen = found
      } else {
        let (number, file) = try make(from: survey.free)
        let text = try AuditSegments.text(
          beforeNew: number, line: survey.fresh.chain.sequence + 1, source, context.unsealed)
        chosen = AuditSegment(
          number: number, file: file, at: AuditSegment.Place(behind: survey.fresh, text))
      }
      // A new segment holds nothing that must be durable until its first rows leave the outbox; what
      // led to it is told once. A segment that stands behind it is none of its past.
      let recorded = debt.recordedDamage
      for finding in debt.findings + survey.findings
      where finding.segment ?? 0 >= chosen.number || !recorded.contains(finding.digest) {
        note(finding)
      }
      segment = chosen
      isOpen = true
      isBehind = true
      deleted = 0
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
}

extension VaultError {
  /// The refusal of a database that is older than the log, or than a checkpoint of it.
  static let rolledBack = VaultError(
    .damaged, "the audit log is newer than the database, which was rolled back: restore a backup")
}
