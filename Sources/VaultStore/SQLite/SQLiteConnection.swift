import CSQLite
import Glibc

/// One connection to a database file, with its prepared statements.
///
/// Opened without SQLite's own mutexes and deliberately not `Sendable`: the thread that opens or is
/// handed a connection is the only one that uses it, and the compiler refuses to share it. What
/// crosses threads is ``VaultDatabase``, from which each thread opens its own.
@safe package final class SQLiteConnection {
  private let handle: OpaquePointer
  private var statements: [UInt: Statement] = [:]
  /// Whether the open transaction can only be rolled back.
  var isLost = false

  /// How a file is opened.
  package enum Access: Sendable {
    /// An existing file, for reading and writing.
    case readWrite
    /// A file that may be made.
    case create
    /// An existing file, never written.
    case readOnly
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file, or `:memory:`.
  ///   - access: how.
  ///   - vfs: the name of a registered VFS, `nil` for the default one.
  /// - Throws: ``StoreError``.
  package init(path: String, access: Access, vfs: String? = nil) throws(StoreError) {
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    var database: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &database,
      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE, vfs)
    guard code == SQLITE_OK, let database = unsafe database else {
      let error = unsafe StoreError.last(code, database)
      unsafe sqlite3_close_v2(database)
      throw error
    }
    unsafe handle = unsafe database
    unsafe sqlite3_busy_timeout(handle, 2_000)
  }

  deinit {
    // The statements are finalised after this body; close_v2 waits for the last of them.
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs SQL that has neither parameters nor rows to read; several statements may follow another.
  ///
  /// - Parameter sql: the statements.
  /// - Throws: ``StoreError``.
  package func execute(_ sql: String) throws(StoreError) {
    errno = 0
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    let system = errno
    guard code == SQLITE_OK else {
      throw unsafe StoreError.last(code, handle, fallback: system)
    }
  }

  /// Lets `body` bind and step a statement, which is prepared on first use and kept.
  ///
  /// - Parameters:
  ///   - sql: one statement; a literal, since the address identifies it in the cache.
  ///   - table: the table its rows come from.
  ///   - body: what to do with it; the statement is reset afterwards.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError``.
  package func with<Result: ~Copyable>(
    _ sql: StaticString, _ table: StoreTable,
    _ body: (Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let statement = try prepared(sql, table)
    defer { statement.reset() }
    return try body(statement)
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Parameters:
  ///   - sql: one statement; a literal.
  ///   - table: the table it changes.
  ///   - bind: binds its parameters.
  /// - Returns: how many rows it inserted, changed or deleted.
  /// - Throws: ``StoreError``.
  @discardableResult
  package func run(
    _ sql: StaticString, _ table: StoreTable,
    _ bind: (Statement) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Int {
    try with(sql, table) { statement throws(StoreError) in
      try bind(statement)
      _ = try statement.step()
    }
    return Int(unsafe sqlite3_changes64(handle))
  }

  /// Reads the first column of the only row as an integer.
  package func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql, .state)
    guard try statement.step() else { throw .damaged(.schema) }
    return try statement.integer(0)
  }

  /// Makes a statement of SQL text that is not a literal and not worth keeping.
  package func prepare(_ sql: String, _ table: StoreTable) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else {
      throw unsafe StoreError.last(code, handle)
    }
    return unsafe Statement(handle: statement, database: handle, table: table)
  }

  /// Sets an option of `sqlite3_db_config`.
  func setOption(_ option: Int32, _ isOn: Bool) throws(StoreError) {
    let code = unsafe latchkey_db_option(handle, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw unsafe StoreError.last(code, handle) }
  }

  /// The text of every statement that was prepared and kept, for checks of their plans.
  package var statementTexts: [String] { statements.values.map(\.text) }

  /// Whether no transaction is open.
  package var isIdle: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// Copies the log into the database file and cuts the log to nothing.
  ///
  /// - Returns: whether all of it was copied; `false` when a reader still needed the log.
  /// - Throws: ``StoreError``.
  package func truncateLog() throws(StoreError) -> Bool {
    errno = 0
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    let system = errno
    if code & 0xff == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else {
      throw unsafe StoreError.last(code, handle, fallback: system)
    }
    return true
  }

  private func prepared(
    _ sql: StaticString, _ table: StoreTable
  ) throws(StoreError) -> Statement {
    // A literal keeps its address for the life of the process, which spares hashing the text.
    let address = unsafe UInt(bitPattern: sql.utf8Start)
    if let statement = statements[address] { return statement }
    var handle: OpaquePointer?
    let code = unsafe sql.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: sql.utf8CodeUnitCount
    ) { text in
      unsafe sqlite3_prepare_v3(
        self.handle, text, Int32(clamping: sql.utf8CodeUnitCount),
        UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    }
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe StoreError.last(code, self.handle)
    }
    let statement = unsafe Statement(handle: handle, database: self.handle, table: table)
    statements[address] = statement
    return statement
  }
}
