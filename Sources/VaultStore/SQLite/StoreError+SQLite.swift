import CSQLite
import Glibc

extension StoreError {
  /// Sorts a result code into a case, with the help of the connection's last `errno`.
  ///
  /// - Parameters:
  ///   - code: an extended result code that is not a success.
  ///   - database: the connection it came from, `nil` when there was none.
  ///   - fallback: `errno` after the call, which began with zero. A failed COMMIT does not reach
  ///     `sqlite3_system_errno` in every release of SQLite.
  /// - Returns: the error to throw.
  static func last(
    _ code: Int32, _ database: OpaquePointer?, fallback: Int32 = 0
  ) -> StoreError {
    // sqlite3_system_errno is set together with IOERR and CANTOPEN; for other codes it is stale.
    let recorded = unsafe database.map { unsafe sqlite3_system_errno($0) } ?? 0
    let telling = [ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EPERM, EIO]
    let system = telling.contains(fallback) ? fallback : recorded
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    case SQLITE_FULL: return .storageFull
    case SQLITE_READONLY, SQLITE_PERM: return .readOnly
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(.file(code: code))
    case SQLITE_CONSTRAINT: return .constraint(code: code)
    case SQLITE_IOERR: return inputOutput(code, system)
    case SQLITE_CANTOPEN: return cannotOpen(system)
    default: return .other(code: code)
    }
  }

  /// A failed transfer: the same code stands for a dying disk and for one that is merely full.
  private static func inputOutput(_ code: Int32, _ system: Int32) -> StoreError {
    switch system {
    case ENOSPC, EDQUOT, EFBIG: .storageFull
    case EROFS, EACCES, EPERM: .readOnly
    default: .inputOutput(code: code, errno: system)
    }
  }

  private static func cannotOpen(_ system: Int32) -> StoreError {
    switch system {
    case ENOSPC, EDQUOT, EFBIG: .storageFull
    case EROFS: .readOnly
    default: .cannotOpen(errno: system)
    }
  }
}
