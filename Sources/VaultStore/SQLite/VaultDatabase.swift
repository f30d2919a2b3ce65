import CSQLite
import Glibc
import VaultSchema

/// Where a vault's database is and how to open it.
///
/// The value crosses threads; the connections it opens do not.
package struct VaultDatabase: Hashable, Sendable {
  /// The database file.
  package let path: String
  /// The VFS it is reached through, `nil` for the default one.
  package let vfs: String?

  /// Names a database; nothing is opened yet.
  package init(path: String, vfs: String? = nil) {
    self.path = path
    self.vfs = vfs
  }

  /// Opens the only connection that writes, migrating an older schema first.
  ///
  /// The caller holds the lock of the data directory, so nobody else has the file open.
  ///
  /// - Throws: ``StoreError/newerSchema(found:supported:)`` and ``StoreError/notAVault`` before
  ///   anything was written; ``StoreError/damaged(_:)`` when the schema is not what it should be.
  package func openWriter() throws(StoreError) -> SQLiteConnection {
    let header = try checkedHeader()
    let connection = try SQLiteConnection(path: path, access: .readWrite, vfs: vfs)
    try configure(connection)
    try connection.execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;")
    guard try connection.integer("PRAGMA user_version") == header.userVersion,
      try connection.integer("PRAGMA application_id") == header.applicationID
    else { throw .damaged(.schema) }
    if header.userVersion < VaultSchema.databaseVersion {
      try Migration.run(on: connection, from: header.userVersion)
    }
    try SchemaText.check(connection)
    return connection
  }

  /// Opens a connection that only reads, for one thread, while the writer's connection is open.
  ///
  /// - Throws: ``StoreError``.
  package func openReader() throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, access: .readOnly, vfs: vfs)
    try configure(connection)
    try connection.execute("PRAGMA query_only=ON")
    guard try connection.integer("PRAGMA user_version") == VaultSchema.databaseVersion else {
      throw .damaged(.schema)
    }
    return connection
  }

  /// Makes the database file of a new vault: schema only, in WAL mode.
  ///
  /// - Throws: ``StoreError``; what was made until then is the caller's to remove.
  package func create() throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, access: .create, vfs: vfs)
    try configure(connection)
    try connection.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;
      PRAGMA application_id=\(VaultSchema.applicationID);
      """)
    try Migration.run(on: connection, from: 0)
    return connection
  }

  private func checkedHeader() throws(StoreError) -> DatabaseHeader {
    try checkKinds()
    let header = try DatabaseHeader(path: path, vfs: vfs)
    guard header.applicationID == VaultSchema.applicationID else { throw .notAVault }
    guard header.userVersion <= VaultSchema.databaseVersion else {
      throw .newerSchema(found: header.userVersion, supported: VaultSchema.databaseVersion)
    }
    guard header.userVersion >= 1 else { throw .damaged(.schema) }
    return header
  }

  /// Sees that the database and what SQLite opens beside it are regular files: opening a pipe would
  /// wait for ever, and a link lead elsewhere.
  private func checkKinds() throws(StoreError) {
    // Another VFS may keep its files in memory.
    guard vfs == nil else { return }
    for suffix in ["", "-wal", "-shm", "-journal"] {
      var status = stat()
      guard unsafe lstat(path + suffix, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .damaged(.notRegular(suffix: suffix))
      }
    }
  }

  /// What every connection is set to.
  ///
  /// The file is not trusted: no function or virtual table runs because the schema says so, no
  /// shadow table can be written, no library be loaded.
  private func configure(_ connection: SQLiteConnection) throws(StoreError) {
    try connection.setOption(SQLITE_DBCONFIG_DEFENSIVE, true)
    try connection.setOption(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try connection.setOption(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try connection.execute(
      """
      PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON;
      PRAGMA mmap_size=0;
      """)
  }
}
