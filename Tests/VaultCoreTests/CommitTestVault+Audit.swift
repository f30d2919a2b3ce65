@testable import VaultCore

extension CommitTestVault {
  /// A checkpoint made now.
  @discardableResult
  func checkpoint() throws -> Numbered<AuditCheckpoint> {
    try ask { worker.checkpoint(by: Self.subject, $0) }
  }

  /// Takes the beginning of the log away; how many segments that were.
  @discardableResult
  func archive(_ checkpoint: AuditCheckpoint) throws -> Numbered<Int> {
    let request = ArchiveRequest(through: checkpoint.sequence, head: checkpoint.head)
    return try ask { worker.archive(request, by: Self.subject, $0) }
  }
}
