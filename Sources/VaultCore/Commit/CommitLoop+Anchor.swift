import VaultStore

extension CommitLoop {
  /// Compares the vault with the newest checkpoints that are kept elsewhere: whoever puts the whole
  /// directory back to an older state cannot take those back as well.
  ///
  /// - Parameters:
  ///   - given: the checkpoint that whoever unseals has kept.
  ///   - state: the proven state.
  ///   - context: the keys.
  /// - Returns: what is wrong with the anchor itself.
  /// - Throws: ``VaultError`` `damaged` when the vault is not the one that went on from a checkpoint;
  ///   `invalid_params` when the given one is none of this vault.
  func compare(
    _ given: AuditCheckpoint?, with state: CommitState, _ context: AuditExporter.Context
  ) throws(VaultError) -> [AuditFinding] {
    if let given {
      guard given.isOwn(context.unsealed) else {
        throw VaultError(
          .invalidParameters, "the checkpoint is not of this vault", field: "checkpoint")
      }
      guard given.sequence <= state.seq else {
        throw .older(
          than: given, state, "the checkpoint given", "unseal without it to go on from here")
      }
      try expect(given, in: state, context)
    }
    guard let anchor else { return [] }
    let kept: [UInt8]?
    do throws(AuditFileError) { kept = try anchor.read() } catch {
      return [.anchorUnreadable(error.code)]
    }
    guard let kept else {
      // Before the first line there is nothing that could have been kept.
      return state.epoch == 0 ? [] : [.anchorMissing]
    }
    guard kept.last == UInt8(ascii: "\n"),
      let checkpoint = AuditCheckpoint(line: Array(kept.dropLast())),
      checkpoint.isOwn(context.unsealed)
    else { return [.anchorForeign] }
    guard checkpoint.sequence <= state.seq else {
      throw .older(
        than: checkpoint, state, "the anchor file", "remove that file to go on from here")
    }
    try expect(checkpoint, in: state, context)
    return []
  }

  /// Sees whether the log has the line of a checkpoint of this vault.
  private func expect(
    _ checkpoint: AuditCheckpoint, in state: CommitState, _ context: AuditExporter.Context
  ) throws(VaultError) {
    let head: [UInt8]?
    do {
      let debt = try AuditDebt(to: state, context.writer, context.unsealed)
      if let owed = debt.head(ofLine: checkpoint.sequence) {
        head = owed
      } else {
        var segments = try AuditSegments(exporter.source, context.unsealed)
        head = try segments.head(ofLine: checkpoint.sequence)
      }
    } catch let error as LedgerError {
      throw VaultError(error)
    } catch let error as AuditFileError {
      throw VaultError(error)
    } catch {
      throw .auditUnavailable
    }
    // A line that was lost, or taken away with an older part of the log, cannot be compared; what is
    // lost is found without that.
    guard let head, head != checkpoint.head else { return }
    throw VaultError(
      .damaged,
      "line \(checkpoint.sequence) of the audit log is not the one that was signed: the vault was"
        + " put back to an older state and went on from there; restore a backup")
  }
}

extension VaultError {
  /// The refusal of a vault whose database and log are both older than what is kept elsewhere.
  fileprivate static func older(
    than checkpoint: AuditCheckpoint, _ state: CommitState, _ keeper: String, _ otherwise: String
  ) -> VaultError {
    VaultError(
      .damaged,
      "the vault was put back to an older state: its audit log ends with line \(state.seq), and "
        + "\(keeper) has line \(checkpoint.sequence); restore a newer backup, or \(otherwise)")
  }
}
