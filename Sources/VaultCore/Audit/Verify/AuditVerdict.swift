/// What came of the check of a log.
package struct AuditVerdict: Hashable, Sendable {
  /// What the log holds, up to the fault if there is one.
  package let report: AuditReport
  /// What is wrong; `nil` when nothing is.
  package let fault: AuditFault?
  /// The key that the checkpoints are signed with; `nil` when there is none.
  ///
  /// Unless it was given to the verifier it proves nothing: whoever makes up a log makes up a key.
  package let key: [UInt8]?
  /// The vault's identifier as far as checkpoints tell it.
  package let vaultID: [UInt8]?
}
