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
