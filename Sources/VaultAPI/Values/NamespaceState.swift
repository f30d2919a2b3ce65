/// The state of a namespace.
public enum NamespaceState: String, CaseIterable, Hashable, Sendable {
  /// Its keys and records may be used.
  case active
  /// It has ended for good.
  case revoked
}
