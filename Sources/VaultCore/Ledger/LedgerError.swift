package import SecureMemory
package import VaultCrypto
package import VaultStore

/// Why the ledger refused or failed.
package enum LedgerError: Error, Hashable, Sendable {
  /// The keys are not in memory.
  case sealed
  /// Something in the data directory is not what this vault wrote last; the rest still works.
  case damaged(Damage)
  /// The name exists already, possibly as a tombstone.
  case namespaceExists
  /// No such name was ever used; its absence is proven.
  case namespaceMissing
  /// The namespace is a tombstone: its key is gone.
  case namespaceRevoked
  /// The namespace has no such record; its absence is proven.
  case recordMissing
  /// No slot has this number.
  case slotMissing
  /// The vault cannot be left without a slot.
  case lastSlot
  /// There are as many slots as there can be.
  case tooManySlots
  /// The record, policy or label is larger than the format allows.
  case tooLarge
  /// A slot does not open with what was given.
  case unseal(UnsealFailure)
  /// The format of the vault is newer than this release.
  case unsupportedFormat(Int64)
  /// The call does not fit the state of the writer: no transaction, or one too many.
  case misuse
  /// The target of an initialisation exists and is not empty.
  case notEmpty
  /// A key file cannot be used.
  case keyFile(KeyFileProblem)
  /// The database or a file failed.
  case store(StoreError)
  /// A cryptographic operation failed for another reason than damage.
  case crypto(VaultCryptoError)
  /// No locked memory is left.
  case memory(SecureMemoryError)
}

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
  /// A secondary index disagrees with the table about this name.
  case nameIndex(String)
}

/// Why no slot opened.
package enum UnsealFailure: Hashable, Sendable {
  /// The slot's octets are damaged: its checksum is wrong.
  case damagedSlot
  /// The slot is whole, but not for this secret.
  case wrongSecret
  /// The slot and the secret belong together, but to another vault.
  case otherVault
  /// There is no slot of the kind the secret is for.
  case noSuchSlot
}
