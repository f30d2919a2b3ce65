/// The state of a key version.
public enum KeyState: String, CaseIterable, Hashable, Sendable {
  /// Made, and not yet in use.
  case pending
  /// In use.
  case active
  /// Replaced by a newer version.
  case retired
  /// Ended for good.
  case revoked
}
