/// Where the audit segments are; a protocol so that tests can keep them elsewhere.
package protocol AuditSource: Sendable {
  /// The numbers of the segments, of which the highest is the newest, with the octets of each.
  func sizes() throws(AuditFileError) -> [Int64: Int64]
  /// Their numbers alone, ascending.
  func numbers() throws(AuditFileError) -> [Int64]
  /// Opens a segment that is there.
  func open(_ number: Int64) throws(AuditFileError) -> any AuditFile
  /// Makes a segment, whose number must be free.
  func make(_ number: Int64) throws(AuditFileError) -> any AuditFile
  /// Removes a segment, durably.
  func remove(_ number: Int64) throws(AuditFileError)
  /// Opens the file of prune records.
  ///
  /// - Parameter isNew: whether to make it if it is missing.
  /// - Returns: `nil` when it is missing.
  /// - Throws: ``AuditFileError``.
  func pruneFile(isNew: Bool) throws(AuditFileError) -> (any AuditFile)?
}

extension AuditSource {
  func numbers() throws(AuditFileError) -> [Int64] { try sizes().keys.sorted() }
}
