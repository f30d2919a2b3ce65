/// A namespace that was found by a reader group of its pass; nothing of it is proven.
struct FoundNamespace: Hashable, Sendable {
  /// The name.
  let name: String
  /// The identifier.
  let id: NamespaceID
  /// Whether it has the group's resolving key.
  let isKeyed: Bool
}
