/// What can go wrong between the vault and its database file.
public enum StoreError: Error, Hashable, Sendable {
  /// The file is no Latchkey vault: missing, empty, or marked as something else.
  case notAVault
  /// The file was written by a later release, with schema `found`; this one knows `supported` and
  /// has not touched it.
  case newerSchema(found: Int64, supported: Int64)
  /// The file contradicts itself, or a row has not the shape it must have.
  case damaged(StoreDamage)
  /// Another connection holds the lock, longer than the busy timeout.
  case busy
  /// No space is left for the write (ENOSPC, EDQUOT or EFBIG); nothing of the transaction is kept.
  case storageFull
  /// The file system, or the file, does not allow writing (EROFS, EACCES, EPERM).
  case readOnly
  /// The device failed: SQLite's extended result code and the system's `errno` (0 when unknown).
  ///
  /// After this a COMMIT may or may not have reached the disk: reopen and read again.
  case inputOutput(code: Int32, errno: Int32)
  /// The file cannot be opened; `errno` says why.
  case cannotOpen(errno: Int32)
  /// A uniqueness, foreign key or CHECK constraint refused the row (extended result code).
  case constraint(code: Int32)
  /// The transaction is gone: SQLite undid it after an earlier failure, or a savepoint could not be
  /// undone. Nothing of it is kept; roll back and start again.
  case transactionLost
  /// An operation on a file other than the database failed; `errno` says why.
  case file(FileOperation, errno: Int32)
  /// Any other result code of SQLite: a programming error, or no memory.
  case other(code: Int32)
}
