import VaultSchema

/// Brings an older schema up to the one this release knows.
enum Migration {
  /// Runs the migrations that are missing, each in a transaction of its own with its version, so
  /// that a failure leaves the file at the last whole version.
  static func run(on connection: SQLiteConnection, from version: Int64) throws(StoreError) {
    for (index, script) in VaultSchema.migrations.enumerated() {
      let made = Int64(index) + 1
      guard made > version else { continue }
      guard let sql = String(validating: script, as: UTF8.self) else { throw .damaged(.schema) }
      try connection.begin()
      do {
        try connection.execute(sql)
        try connection.execute("PRAGMA user_version=\(made)")
        try connection.commit()
      } catch {
        try? connection.rollback()
        throw error
      }
    }
  }
}
