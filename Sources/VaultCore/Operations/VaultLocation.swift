package import VaultStore

/// Where the parts of a vault are.
package struct VaultLocation: Sendable {
  /// The database.
  package let database: VaultDatabase
  /// The audit segments.
  package let audit: any AuditSource
  /// The space kept back for a full disk, if there is such a thing.
  package let reserve: (any SpaceReserve)?
  /// Where the newest checkpoint of the audit log is kept besides, if anywhere.
  package let anchor: (any CheckpointAnchor)?

  /// Names the parts one by one.
  package init(
    database: VaultDatabase, audit: any AuditSource, reserve: (any SpaceReserve)? = nil,
    anchor: (any CheckpointAnchor)? = nil
  ) {
    self.database = database
    self.audit = audit
    self.reserve = reserve
    self.anchor = anchor
  }

  /// Names the parts of a data directory.
  ///
  /// - Parameters:
  ///   - directory: the directory.
  ///   - anchor: the file that the newest checkpoint is kept in besides, on another file system.
  package init(directory: String, anchor: String? = nil) {
    self.init(
      database: VaultDatabase(path: "\(directory)/\(DataDirectory.databaseName)"),
      audit: AuditDirectory(path: "\(directory)/\(DataDirectory.auditName)"),
      reserve: ReserveFile(path: "\(directory)/\(DataDirectory.reserveName)"),
      anchor: anchor.map { AnchorFile(path: $0) })
  }
}
