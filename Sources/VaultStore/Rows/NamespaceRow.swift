/// A name that was ever used, as it is stored.
package struct NamespaceRow: Hashable, Sendable {
  /// The index bucket of the name, 0 to 65,535.
  package var bucket: Int64
  /// The name.
  package var name: String
  /// The identifier, 16 random octets.
  package var id: [UInt8]
  /// Counts the changes that end cached keys, from 1.
  package var generation: Int64
  /// 1 active, 2 suspended, 3 tombstone.
  package var state: Int64
  /// The last key version given out per purpose, 0 for none: presentation, signing, issuer,
  /// reader-ca.
  package var keyVersions: [Int64]
  /// When a pending deletion takes effect, 0 for none, Unix seconds.
  package var deleteAfter: Int64
  /// When it was made, Unix seconds.
  package var created: Int64
  /// When it was last changed, Unix seconds.
  package var changed: Int64
  /// The digest over the headers of its records, 32 octets.
  package var recordSet: [UInt8]
  /// The nonce of the wrapped data key, `nil` in a tombstone.
  package var keyNonce: [UInt8]?
  /// The wrapped data key, `nil` in a tombstone.
  package var keyBox: [UInt8]?

  /// Makes a row.
  package init(
    bucket: Int64, name: String, id: [UInt8], generation: Int64, state: Int64,
    keyVersions: [Int64], deleteAfter: Int64, created: Int64, changed: Int64, recordSet: [UInt8],
    keyNonce: [UInt8]?, keyBox: [UInt8]?
  ) {
    self.bucket = bucket
    self.name = name
    self.id = id
    self.generation = generation
    self.state = state
    self.keyVersions = keyVersions
    self.deleteAfter = deleteAfter
    self.created = created
    self.changed = changed
    self.recordSet = recordSet
    self.keyNonce = keyNonce
    self.keyBox = keyBox
  }

  /// Reads the row a statement stands on, which selects all columns in the order of the table.
  init(_ row: Statement) throws(StoreError) {
    var versions: [Int64] = []
    versions.reserveCapacity(4)
    for column: Int32 in 5..<9 { versions.append(try row.integer(column)) }
    self.init(
      bucket: try row.integer(0), name: try row.text(1), id: try row.blob(2, count: 16),
      generation: try row.integer(3), state: try row.integer(4), keyVersions: versions,
      deleteAfter: try row.integer(9), created: try row.integer(10),
      changed: try row.integer(11), recordSet: try row.blob(12, count: 32),
      keyNonce: try row.optionalBlob(13, count: 24), keyBox: try row.optionalBlob(14, count: 48))
  }
}
