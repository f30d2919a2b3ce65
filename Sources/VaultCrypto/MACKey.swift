import CSodium
public import SecureMemory

/// A key for message authentication codes with keyed BLAKE2b-256 (RFC 7693).
public struct MACKey: ~Copyable, Sendable {
  private let key: SecretBytes

  /// Takes over a key.
  ///
  /// - Parameter key: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length.
  public init(_ key: consuming SecretBytes) throws(VaultCryptoError) {
    guard key.count == 32 else { throw .invalidKey }
    self.key = key
  }

  /// Computes the code of a message.
  ///
  /// - Parameter message: the message, of any length.
  /// - Returns: 32 octets.
  public borrowing func code(_ message: Span<UInt8>) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    key.withBytes { key in
      unsafe key.withOctets { key, keyCount in
        unsafe message.withOctets { message, count in
          unsafe code.withOctets { code, codeCount in
            _ = unsafe crypto_generichash(code, codeCount, message, UInt64(count), key, keyCount)
          }
        }
      }
    }
    StackWipe.afterHash()
    return code
  }

  /// Tells whether a code belongs to a message, in a time that does not depend on the code.
  ///
  /// - Parameters:
  ///   - code: the code to check.
  ///   - message: the message.
  /// - Returns: whether they agree; `false` for a code of another length than 32 octets.
  public borrowing func isValid(_ code: Span<UInt8>, for message: Span<UInt8>) -> Bool {
    let expected = self.code(message)
    guard code.count == expected.count else { return false }
    return unsafe code.withOctets { code, count in unsafe sodium_memcmp(code, expected, count) == 0
    }
  }

  /// Starts a code over a message that comes in pieces.
  ///
  /// - Returns: the computation, which no longer needs this key.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public borrowing func stream() throws(VaultCryptoError) -> MACStream {
    try key.withBytes { key throws(VaultCryptoError) in try MACStream(key: key) }
  }
}
