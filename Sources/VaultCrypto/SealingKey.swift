import CSodium
public import SecureMemory

/// Octets sealed by a ``SealingKey``.
public struct Sealed: Hashable, Sendable {
  /// The random nonce, 24 octets.
  public let nonce: [UInt8]
  /// The ciphertext followed by the 16-octet tag.
  public let box: [UInt8]

  /// Puts a stored nonce and box together again.
  ///
  /// - Parameters:
  ///   - nonce: the nonce, 24 octets.
  ///   - box: the ciphertext followed by the tag.
  public init(nonce: [UInt8], box: [UInt8]) {
    self.nonce = nonce
    self.box = box
  }
}

/// A key that seals records with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03).
public struct SealingKey: ~Copyable, Sendable {
  private let key: SecretBytes

  /// Takes over a key.
  ///
  /// - Parameter key: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length.
  public init(_ key: consuming SecretBytes) throws(VaultCryptoError) {
    guard key.count == 32 else { throw .invalidKey }
    self.key = key
  }

  /// Seals octets under a random nonce.
  ///
  /// - Parameters:
  ///   - plaintext: the octets to seal.
  ///   - associatedData: octets to authenticate along with them; they are not in the result.
  /// - Returns: nonce and box.
  /// - Throws: ``VaultCryptoError/libraryFailure(_:)`` only if the library refuses.
  public borrowing func seal(
    _ plaintext: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> Sealed {
    try seal(plaintext, nonce: SecureRandom.bytes(24), associatedData: associatedData)
  }

  /// Seals octets under a given nonce, for test vectors.
  borrowing func seal(
    _ plaintext: Span<UInt8>, nonce: [UInt8], associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> Sealed {
    var box = [UInt8](repeating: 0, count: plaintext.count + 16)
    let status = key.withBytes { key in
      unsafe key.withOctets { key, _ in
        unsafe plaintext.withOctets { plaintext, count in
          unsafe associatedData.withOctets { data, dataCount in
            unsafe box.withOctets { box, _ in
              unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                box, nil, plaintext, UInt64(count), data, UInt64(dataCount), nil, nonce, key)
            }
          }
        }
      }
    }
    StackWipe.afterHash()
    guard status == 0 else { throw .libraryFailure(.encrypt) }
    return Sealed(nonce: nonce, box: box)
  }

  /// Opens sealed octets.
  ///
  /// - Parameters:
  ///   - nonce: the nonce, 24 octets.
  ///   - box: the ciphertext followed by the tag.
  ///   - associatedData: the octets authenticated along with it.
  /// - Returns: the plaintext.
  /// - Throws: ``VaultCryptoError/authenticationFailed`` when anything differs, lengths included,
  ///   or ``VaultCryptoError/memoryExhausted``.
  public borrowing func open(
    nonce: Span<UInt8>, box: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> SecretBytes {
    guard nonce.count == 24, box.count >= 16 else { throw .authenticationFailed }
    var plaintext = try SecretBytes.zeroed(box.count - 16)
    let status = key.withBytes { key in
      plaintext.withMutableBytes { plaintext in
        Self.decrypt(
          box, nonce: nonce, associatedData: associatedData, key: key, into: &plaintext)
      }
    }
    StackWipe.afterHash()
    guard status == 0 else { throw .authenticationFailed }
    return plaintext
  }

  private static func decrypt(
    _ box: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>, key: Span<UInt8>,
    into plaintext: inout MutableSpan<UInt8>
  ) -> Int32 {
    unsafe key.withOctets { key, _ in
      unsafe nonce.withOctets { nonce, _ in
        unsafe box.withOctets { box, count in
          unsafe associatedData.withOctets { data, dataCount in
            unsafe plaintext.withOctets { plaintext, _ in
              unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                plaintext, nil, nil, box, UInt64(count), data, UInt64(dataCount), nonce, key)
            }
          }
        }
      }
    }
  }
}
