import VaultStore
package import WireCoding

/// The identifier of a namespace: 16 random octets, never reused.
package struct NamespaceID: Hashable, Sendable {
  /// The octets.
  package let bytes: [UInt8]

  /// Takes octets that are known to be 16.
  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Takes octets, if they are 16.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}

/// Whether a namespace can be used; the numbers are in the database.
package enum NamespaceState: Int64, Hashable, Sendable {
  /// In use.
  case active = 1
  /// Not usable until it is resumed.
  case suspended = 2
  /// Gone for good: the data key is erased and the name stays taken.
  case tombstone = 3
}

/// The last key version given out per purpose, 0 for none; a version is never given out twice.
package struct KeyVersions: Hashable, Sendable {
  /// Purpose `presentation`.
  package var presentation: Int64 = 0
  /// Purpose `signing`.
  package var signing: Int64 = 0
  /// Purpose `issuer`.
  package var issuer: Int64 = 0
  /// Purpose `reader-ca`.
  package var readerCA: Int64 = 0

  /// Starts with no version given out.
  package init() {}

  init(_ list: [Int64]) {
    guard list.count == 4 else { return }
    (presentation, signing, issuer, readerCA) = (list[0], list[1], list[2], list[3])
  }

  var list: [Int64] { [presentation, signing, issuer, readerCA] }
}

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
