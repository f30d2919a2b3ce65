import CSodium
public import SecureMemory

/// What a subkey of the master key is for; the number is part of the derivation and never reused.
public enum SubkeyPurpose: UInt64, CaseIterable, Sendable {
  /// Wrapping namespace data keys.
  case wrap = 1
  /// Authenticating the state row.
  case state = 2
  /// Authenticating audit batches.
  case audit = 3
  /// Seed of the checkpoint signing key.
  case checkpoint = 4
  /// Authenticating the index of namespaces.
  case index = 5
  /// Hashing namespace names into buckets.
  case nameHash = 6
  /// Sealing the policy.
  case policy = 7
  /// Hashing what is looked up: groups of readers and signed transcripts.
  case lookup = 8
}

/// The key that all other keys of a vault come from.
public struct MasterKey: ~Copyable, Sendable {
  private let key: SecretBytes

  /// Makes a random master key.
  ///
  /// - Returns: the key.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public static func generate() throws(VaultCryptoError) -> MasterKey {
    try MasterKey(try SecretBytes.random(32))
  }

  /// Takes over a master key.
  ///
  /// - Parameter key: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length.
  public init(_ key: consuming SecretBytes) throws(VaultCryptoError) {
    guard key.count == 32 else { throw .invalidKey }
    self.key = key
  }

  /// Derives the subkey for a purpose, with libsodium's `crypto_kdf` and the context `latchkey`.
  ///
  /// - Parameter purpose: what it is for.
  /// - Returns: 32 octets, always the same for one master key and purpose.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public borrowing func subkey(_ purpose: SubkeyPurpose) throws(VaultCryptoError) -> SecretBytes {
    var subkey = try SecretBytes.zeroed(32)
    let status = key.withBytes { key in
      unsafe key.withOctets { key, _ in
        subkey.withMutableBytes { subkey in
          unsafe subkey.withOctets { subkey, count in
            unsafe crypto_kdf_derive_from_key(subkey, count, purpose.rawValue, "latchkey", key)
          }
        }
      }
    }
    StackWipe.afterHash()
    guard status == 0 else { throw .libraryFailure(.derive) }
    return subkey
  }

  /// Seals the master key itself under the key of an unseal slot.
  ///
  /// - Parameters:
  ///   - slotKey: the key of the slot.
  ///   - associatedData: the header of the slot.
  /// - Returns: nonce and box; ``SealingKey/open(nonce:box:associatedData:)`` gives it back.
  /// - Throws: ``VaultCryptoError/libraryFailure(_:)`` only if the library refuses.
  public borrowing func sealed(
    with slotKey: borrowing SealingKey, associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> Sealed {
    try key.withBytes { key throws(VaultCryptoError) in
      try slotKey.seal(key, associatedData: associatedData)
    }
  }
}
