import VaultStore
package import WireCoding

/// A namespace as the authenticated index has it.
package struct NamespaceEntry: Hashable, Sendable {
  /// The name.
  package let name: NamespaceName
  /// The identifier.
  package let id: NamespaceID
  /// Counts the changes that end cached keys and finished computations, from 1.
  package let generation: Int64
  /// Whether it can be used.
  package let state: NamespaceState
  /// The last key versions given out.
  package let keyVersions: KeyVersions
  /// When a pending deletion takes effect, `nil` for none, Unix seconds.
  package let deleteAfter: Int64?
  /// When it was made, Unix seconds.
  package let created: Int64
  /// When it was last changed, Unix seconds.
  package let changed: Int64
  /// The row, which was checked against the index.
  let row: NamespaceRow

  /// Reads a row that was checked; `nil` when it holds what this release does not know.
  init?(_ row: NamespaceRow) {
    guard let name = try? NamespaceName(row.name), let state = NamespaceState(rawValue: row.state)
    else { return nil }
    self.name = name
    self.state = state
    id = NamespaceID(unchecked: row.id)
    generation = row.generation
    keyVersions = KeyVersions(row.keyVersions)
    deleteAfter = row.deleteAfter == 0 ? nil : row.deleteAfter
    created = row.created
    changed = row.changed
    self.row = row
  }
}
