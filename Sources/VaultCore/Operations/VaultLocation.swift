package import VaultStore

/// Where the parts of a vault are.
package struct VaultLocation: Sendable {
  /// The database.
  package let database: VaultDatabase
  /// The audit segments.
  package let audit: any AuditSource

  /// Names the parts one by one.
  package init(database: VaultDatabase, audit: any AuditSource) {
    self.database = database
    self.audit = audit
  }

  /// Names the parts of a data directory.
  package init(directory: String) {
    self.init(
      database: VaultDatabase(path: "\(directory)/\(DataDirectory.databaseName)"),
      audit: AuditDirectory(path: "\(directory)/\(DataDirectory.auditName)"))
  }
}
