package import VaultStore

/// What was found damaged, and where.
package enum Damage: Hashable, Sendable {
  /// The database file or its schema.
  case database(StoreDamage)
  /// The vault row: missing, changed, or of another vault.
  case vaultRow
  /// The state row: missing, changed, or of another time or vault.
  case stateRow
  /// An unseal slot: missing, changed, or put back after its removal.
  case slot(Int64)
  /// The policy: missing, changed, or of another time.
  case policy
  /// A group of 32 index pages.
  case indexGroup(Int64)
  /// An index page of 64 buckets; names in those buckets can be neither found nor proven absent.
  case indexPage(Int64)
  /// An index bucket; names in it can be neither found nor proven absent.
  case bucket(Int64)
  /// The set of records of a namespace: one was added, changed, removed or put back.
  case recordSet(NamespaceID)
  /// The wrapped data key of a namespace.
  case dataKey(NamespaceID)
  /// The content of one record.
  case record(NamespaceID, kind: RecordKind, id: String)
  /// The reader groups that a namespace is found by are not those of its pass.
  case readerGroups(NamespaceID)
  /// A secondary index disagrees with the table about this name.
  case nameIndex(String)
}
