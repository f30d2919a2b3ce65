/// One page of a list of namespaces.
package struct NamespacePage: Hashable, Sendable {
  /// The namespaces, in byte order of their names, tombstones included.
  package var entries: [NamespaceEntry] = []
  /// Names whose index bucket or page is damaged, so that nothing can be said of them.
  package var damaged: [String: Damage] = [:]
  /// The name to continue after, `nil` at the end.
  package var next: String?
}
