package import VaultCrypto

/// The keys of an unsealed vault, all derived from its master key; releasing the last reference
/// wipes them.
///
/// A class because several threads use the keys at once while only one place decides when they go:
/// a move-only value cannot be shared, and each key inside is one.
package final class VaultKeys: Sendable {
  /// The master key, for adding slots.
  package let master: MasterKey
  /// Wraps the data keys of namespaces.
  let wrap: SealingKey
  /// Authenticates the state row and the vault row.
  let state: MACKey
  /// Authenticates audit batches.
  package let audit: MACKey
  /// Signs checkpoints of the audit log.
  let checkpoint: Ed25519PrivateKey
  /// Authenticates the index.
  let index: MACKey
  /// Hashes names into buckets.
  let nameHash: MACKey
  /// Seals the policy.
  let policy: SealingKey
  /// Hashes what is looked up: groups of readers.
  let lookup: MACKey

  /// Derives the keys.
  ///
  /// - Parameter master: the master key.
  /// - Throws: ``LedgerError/crypto(_:)`` without locked memory.
  package init(_ master: consuming MasterKey) throws(LedgerError) {
    do throws(VaultCryptoError) {
      wrap = try SealingKey(try master.subkey(.wrap))
      state = try MACKey(try master.subkey(.state))
      audit = try MACKey(try master.subkey(.audit))
      checkpoint = try Ed25519PrivateKey(seed: try master.subkey(.checkpoint))
      index = try MACKey(try master.subkey(.index))
      nameHash = try MACKey(try master.subkey(.nameHash))
      policy = try SealingKey(try master.subkey(.policy))
      lookup = try MACKey(try master.subkey(.lookup))
      self.master = master
    } catch {
      throw .crypto(error)
    }
  }
}
