import CSodium
public import SecureMemory

/// A key that signs with Ed25519 (RFC 8032), its secret in locked memory alone.
public struct Ed25519PrivateKey: ~Copyable, Sendable {
  /// The key that its signatures are checked with.
  public let publicKey: Ed25519PublicKey

  /// The seed followed by the public key, which is how libsodium wants a secret key.
  private let key: SecretBytes

  /// Takes over a seed.
  ///
  /// - Parameter seed: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public init(seed: consuming SecretBytes) throws(VaultCryptoError) {
    guard seed.count == 32 else { throw .invalidKey }
    var key = try SecretBytes.zeroed(64)
    var point = [UInt8](repeating: 0, count: 32)
    let status = seed.withBytes { seed in
      key.withMutableBytes { key in
        unsafe seed.withOctets { seed, _ in
          unsafe key.withOctets { key, _ in
            unsafe point.withOctets { point, _ in
              unsafe crypto_sign_ed25519_seed_keypair(point, key, seed)
            }
          }
        }
      }
    }
    StackWipe.afterPublicKeyOperation()
    guard status == 0 else { throw .libraryFailure(.generate) }
    self.key = key
    publicKey = Ed25519PublicKey(computed: point)
  }

  /// Signs a message.
  ///
  /// - Parameter message: the message itself, of any length.
  /// - Returns: 64 octets, always the same for one key and message.
  /// - Throws: ``VaultCryptoError/libraryFailure(_:)`` only if the library refuses.
  public borrowing func signature(message: Span<UInt8>) throws(VaultCryptoError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 64)
    let status = key.withBytes { key in
      unsafe key.withOctets { key, _ in
        unsafe message.withOctets { message, count in
          unsafe signature.withOctets { signature, _ in
            unsafe crypto_sign_ed25519_detached(signature, nil, message, UInt64(count), key)
          }
        }
      }
    }
    StackWipe.afterPublicKeyOperation()
    guard status == 0 else { throw .libraryFailure(.sign) }
    return signature
  }
}
