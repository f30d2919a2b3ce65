/// Why a key file cannot be used.
package enum KeyFileProblem: Hashable, Sendable {
  /// It is not one line `LATCHKEY-KEY-1`, a space and 64 lower-case hex digits.
  case malformed
  /// It is no regular file.
  case notRegular
  /// Others than its owner can read or write it; the permission bits.
  case exposed(mode: UInt32)
  /// It cannot be read; the `errno`.
  case unreadable(errno: Int32)
  /// A file of this name exists already; key files are never overwritten.
  case exists
}
