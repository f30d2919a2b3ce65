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

  /// Lines of the log that a caller may see.
  @discardableResult
  func tail(_ query: AuditQuery, by subject: AuditEntry.Subject = subject) throws -> AuditPage {
    try ask { worker.tailLog(query, by: subject, $0) }
  }

  /// A part of the files of the log.
  @discardableResult
  func export(from place: LogFilePlace? = nil, upTo end: LogFilePlace? = nil) throws -> LogExtract {
    try ask { worker.exportLog(from: place, upTo: end, by: Self.subject, $0) }
  }
}
