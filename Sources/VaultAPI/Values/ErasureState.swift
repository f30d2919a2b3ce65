/// How far the erasure of a revoked key has come.
public enum ErasureState: String, CaseIterable, Hashable, Sendable {
  /// The database file may still hold the wrapped key.
  case pending
  /// The wrapped key was overwritten and its traces truncated.
  case complete
}
