/// The state of a namespace.
public enum NamespaceState: String, CaseIterable, Hashable, Sendable {
  /// Its keys and records may be used.
  case active
  /// Nothing is computed with its keys until it is resumed.
  case suspended
  /// It has ended for good.
  case revoked
}
