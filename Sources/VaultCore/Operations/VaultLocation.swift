package import VaultStore

/// Where the parts of a vault are.
package struct VaultLocation: Sendable {
  /// The database.
  package let database: VaultDatabase
  /// The audit segments.
  package let audit: any AuditSource
  /// The space kept back for a full disk, if there is such a thing.
  package let reserve: (any SpaceReserve)?

  /// Names the parts one by one.
  package init(
    database: VaultDatabase, audit: any AuditSource, reserve: (any SpaceReserve)? = nil
  ) {
    self.database = database
    self.audit = audit
    self.reserve = reserve
  }

  /// Names the parts of a data directory.
  package init(directory: String) {
    self.init(
      database: VaultDatabase(path: "\(directory)/\(DataDirectory.databaseName)"),
      audit: AuditDirectory(path: "\(directory)/\(DataDirectory.auditName)"),
      reserve: ReserveFile(path: "\(directory)/\(DataDirectory.reserveName)"))
  }
}
