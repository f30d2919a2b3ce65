import CSodium
public import SecureMemory

/// The password hash Argon2id (RFC 9106), version 1.3 with one lane.
public enum Argon2id {
  /// What one derivation costs.
  public struct Parameters: Hashable, Sendable {
    /// The number of passes.
    public let operations: UInt64
    /// The working memory in KiB.
    public let memoryKiB: UInt64

    /// libsodium's MODERATE: three passes over 256 MiB.
    public static let moderate = Parameters(unchecked: 3, memoryKiB: 256 << 10)

    /// Takes parameters within bounds: a file cannot make them weak, nor exhaust the machine.
    ///
    /// - Parameters:
    ///   - operations: the number of passes, 3 to 16.
    ///   - memoryKiB: the working memory in KiB, 256 MiB to 1 GiB.
    /// - Throws: ``VaultCryptoError/invalidParameters`` outside the bounds.
    public init(operations: UInt64, memoryKiB: UInt64) throws(VaultCryptoError) {
      guard (3...16).contains(operations), (256 << 10...1024 << 10).contains(memoryKiB) else {
        throw .invalidParameters
      }
      self.init(unchecked: operations, memoryKiB: memoryKiB)
    }

    /// Takes parameters without bounds, for test vectors.
    init(unchecked operations: UInt64, memoryKiB: UInt64) {
      self.operations = operations
      self.memoryKiB = memoryKiB
    }
  }

  /// Derives a key from a passphrase; takes a second or so.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase, UTF-8.
  ///   - salt: 16 random octets.
  ///   - parameters: what it costs.
  /// - Returns: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another salt length, or
  ///   ``VaultCryptoError/memoryExhausted`` when the working memory cannot be had.
  public static func key(
    passphrase: borrowing SecretBytes, salt: [UInt8], parameters: Parameters
  ) throws(VaultCryptoError) -> SecretBytes {
    guard salt.count == crypto_pwhash_saltbytes() else { throw .invalidParameters }
    var key = try SecretBytes.zeroed(32)
    let status = passphrase.withBytes { passphrase in
      unsafe passphrase.withOctets { passphrase, count in
        key.withMutableBytes { key in
          unsafe key.withOctets { key, keyCount in
            unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: max(count, 1)) {
              unsafe crypto_pwhash(
                key, UInt64(keyCount), $0, UInt64(count), salt, parameters.operations,
                Int(parameters.memoryKiB) << 10, crypto_pwhash_alg_argon2id13())
            }
          }
        }
      }
    }
    StackWipe.afterHash()
    // Lengths and costs are in range, so only the working memory can be missing.
    guard status == 0 else { throw .memoryExhausted }
    return key
  }
}
