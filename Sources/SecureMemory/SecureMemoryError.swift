/// What can go wrong when memory for a secret is asked for.
public enum SecureMemoryError: Error, Hashable, Sendable {
  /// The kernel refused to lock `needed` more bytes.
  ///
  /// `limit` is the soft `RLIMIT_MEMLOCK` in bytes, `nil` when it is unlimited. The caller may drop
  /// cached secrets and try again, or answer `busy`.
  case lockedMemoryExhausted(needed: Int, limit: Int?)
  /// The arena holds as many small secrets as it was made for, `capacity` bytes.
  ///
  /// The caller may drop cached secrets and try again, or answer `busy`.
  case arenaFull(capacity: Int)
  /// libsodium did not start; nothing secret may be held.
  case unavailable
  /// A secret of this many bytes cannot be made: the count is negative or above 16 MiB.
  case invalidCount(Int)
}
