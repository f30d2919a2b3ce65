import CSQLite
import Glibc

/// A prepared statement of one connection.
///
/// Not `Sendable`, as its connection is not: it belongs to the thread that owns the connection.
/// Parameters count from 1 and columns from 0, as in SQLite.
@safe package final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  /// The table whose rows it reads, for naming a row that has not the shape it must have.
  private let table: StoreTable

  init(handle: OpaquePointer, database: OpaquePointer, table: StoreTable) {
    unsafe self.handle = unsafe handle
    unsafe self.database = unsafe database
    self.table = table
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// The SQL it was made of.
  var text: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

  /// Binds an integer.
  package func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
    try check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  /// Binds octets, which are copied.
  package func bind(_ index: Int32, _ value: [UInt8]) throws(StoreError) {
    let code = unsafe value.withUnsafeBytes { bytes in
      unsafe latchkey_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
    }
    try check(code)
  }

  /// Binds octets or, for `nil`, NULL.
  package func bind(_ index: Int32, _ value: [UInt8]?) throws(StoreError) {
    guard let value else { return try check(unsafe sqlite3_bind_null(handle, index)) }
    try bind(index, value)
  }

  /// Binds text, which is copied.
  package func bind(_ index: Int32, _ value: String) throws(StoreError) {
    var text = value
    let code = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe latchkey_bind_text(
          handle, index, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
    try check(code)
  }

  /// Runs to the next row.
  ///
  /// - Returns: whether there is one; `false` means that the statement has ended.
  package func step() throws(StoreError) -> Bool {
    errno = 0
    let code = unsafe sqlite3_step(handle)
    let system = errno
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw unsafe StoreError.last(code, database, fallback: system)
  }

  /// Ends the statement, so that it can be bound and run again, and forgets what was bound.
  package func reset() {
    // The result repeats what the last step said, so it is not asked for again.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// The integer of a column of the current row.
  package func integer(_ column: Int32) throws(StoreError) -> Int64 {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw misshapen }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// The text of a column of the current row, which must be UTF-8.
  package func text(_ column: Int32) throws(StoreError) -> String {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let characters = unsafe sqlite3_column_text(handle, column)
    else { throw misshapen }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeBufferPointer(start: characters, count: count)
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw misshapen }
    return text
  }

  /// The octets of a column of the current row, of one length if `count` is given.
  package func blob(_ column: Int32, count: Int? = nil) throws(StoreError) -> [UInt8] {
    guard let bytes = try optionalBlob(column, count: count) else { throw misshapen }
    return bytes
  }

  /// The octets of a column of the current row, of one length if `count` is given; `nil` for NULL.
  package func optionalBlob(
    _ column: Int32, count: Int? = nil
  ) throws(StoreError) -> [UInt8]? {
    let type = unsafe sqlite3_column_type(handle, column)
    if type == SQLITE_NULL { return nil }
    guard type == SQLITE_BLOB else { throw misshapen }
    let start = unsafe sqlite3_column_blob(handle, column)
    let length = Int(unsafe sqlite3_column_bytes(handle, column))
    guard count == nil || count == length else { throw misshapen }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length))
  }

  private var misshapen: StoreError { .damaged(.row(table)) }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw unsafe StoreError.last(code, database) }
  }
}
