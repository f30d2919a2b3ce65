/// Where the audit segments are; a protocol so that tests can keep them elsewhere.
package protocol AuditSource: Sendable {
  /// Opens the newest segment, making the first one when there is none.
  func openNewest() throws(AuditFileError) -> any AuditFile
  /// Makes a new segment whose first line has this number.
  func makeSegment(first sequence: Int64) throws(AuditFileError) -> any AuditFile
}
