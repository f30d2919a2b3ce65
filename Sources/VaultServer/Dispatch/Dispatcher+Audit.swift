import VaultAPI
import VaultCore

// The methods about the audit log.
extension Dispatcher {
  func carryOutAudit(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .auditCheckpoint:
      worker.checkpoint(
        by: call.subject,
        call.answer { made in
          AuditCheckpointResult(
            checkpoint: String(decoding: made.value.line.dropLast(), as: UTF8.self),
            key: made.value.key, seq: made.sequence)
        })
    case .auditArchive(let params):
      worker.archive(
        ArchiveRequest(through: params.through, head: params.head), by: call.subject,
        call.answer { AuditArchiveResult(removed: Int64($0.value), seq: $0.sequence) })
    default: break
    }
  }

  /// How the audit log stands.
  func auditStatus(_ status: Committer.Status) -> AuditStatus {
    AuditStatus(
      available: status.isAvailable, seq: status.sequence, lag: vault.committer.lag,
      segmentError: status.segmentTrouble?.word, anchorError: status.anchorTrouble?.word,
      checkpoint: status.checkpoint, key: vault.checkpointKey)
  }

  /// Reads the checkpoint that a caller has kept.
  func keptCheckpoint(_ text: String?) throws(VaultError) -> AuditCheckpoint? {
    guard let text else { return nil }
    guard let checkpoint = AuditCheckpoint(line: Array(text.utf8)) else {
      throw VaultError(
        .invalidParameters, "this is not the line of a checkpoint", field: "checkpoint")
    }
    return checkpoint
  }
}
