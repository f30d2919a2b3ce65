package import WireCoding

/// What a finished computation rests on; the committer compares it with what is true when the
/// answer gets its number, and withholds the answer when they differ.
package struct Fence: Hashable, Sendable {
  /// The namespace whose keys or records were used.
  package let namespaceID: NamespaceID
  /// Its name, to find its row.
  package let name: NamespaceName
  /// Its generation, which every restrictive change raises.
  package let generation: Int64
  /// The key that the answer was made with, `nil` for none.
  package var key: KeyReference?
}

/// One version of one key of a namespace.
package struct KeyReference: Hashable, Sendable {
  /// What the key is for.
  package let purpose: KeyPurpose
  /// Its version, from 1.
  package let version: Int64

  /// The identifier of its record.
  var identifier: String { KeyRecord.identifier(purpose, version: version) }
}
