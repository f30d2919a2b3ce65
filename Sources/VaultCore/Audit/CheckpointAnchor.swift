/// A second place for the newest checkpoint, on another file system: what the audit directory and
/// the database are compared with when the vault is unsealed.
package protocol CheckpointAnchor: Sendable {
  /// What is kept there; `nil` when nothing is.
  func read() throws(AuditFileError) -> [UInt8]?
  /// Keeps a line instead of the one before, durably.
  func write(_ line: [UInt8]) throws(AuditFileError)
}
