import VaultStore

/// What identifies one version of a record.
package struct RecordHeader: Hashable, Sendable {
  /// The kind of record.
  package let kind: RecordKind
  /// The identifier within namespace and kind.
  package let id: String
  /// Counts the versions of the record since it was made, from 1.
  package let revision: Int64
  /// The nonce of this version.
  let nonce: [UInt8]
}

extension RecordHeader {
  /// Reads a stored header, `nil` when its kind is unknown.
  init?(_ row: RecordHeaderRow) {
    guard let kind = RecordKind(rawValue: row.kind) else { return nil }
    self.init(kind: kind, id: row.recordID, revision: row.revision, nonce: row.nonce)
  }
}
