import COpenSSL
public import SecureMemory

/// The block cipher AES-128 (FIPS 197) for one block, where a format uses it so.
///
/// It hides nothing beyond a block; for encryption there is ``AESGCM``.
public enum AES128 {
  /// A fetched cipher; it lives as long as the process.
  @safe private struct Algorithm: @unchecked Sendable {
    static let shared = Algorithm()
    let pointer: OpaquePointer?

    init() {
      unsafe pointer =
        OpenSSLLibrary.isPrepared ? unsafe EVP_CIPHER_fetch(nil, "AES-128-ECB", nil) : nil
    }
  }

  /// Encrypts one block.
  ///
  /// - Parameters:
  ///   - block: 16 octets.
  ///   - key: 16 octets.
  /// - Returns: 16 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` or ``VaultCryptoError/invalidParameters`` for another
  ///   length, or ``VaultCryptoError/memoryExhausted``.
  public static func encrypt(
    block: Span<UInt8>, key: borrowing SecretBytes
  ) throws(VaultCryptoError) -> SecretBytes {
    try transform(block: block, key: key, isEncryption: true)
  }

  /// Runs the inverse cipher on one block, which undoes ``encrypt(block:key:)``.
  ///
  /// - Parameters:
  ///   - block: 16 octets.
  ///   - key: 16 octets.
  /// - Returns: 16 octets.
  /// - Throws: as ``encrypt(block:key:)`` does.
  public static func decrypt(
    block: Span<UInt8>, key: borrowing SecretBytes
  ) throws(VaultCryptoError) -> SecretBytes {
    try transform(block: block, key: key, isEncryption: false)
  }

  private static func transform(
    block: Span<UInt8>, key: borrowing SecretBytes, isEncryption: Bool
  ) throws(VaultCryptoError) -> SecretBytes {
    guard key.count == 16 else { throw .invalidKey }
    guard block.count == 16 else { throw .invalidParameters }
    try OpenSSLLibrary.prepare()
    var result = try SecretBytes.zeroed(16)
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw OpenSSLLibrary.failure(.encrypt) }
    defer {
      // The context is wiped with the key schedule and the block in it.
      unsafe EVP_CIPHER_CTX_free(context)
      StackWipe.afterHash()
    }
    var written: Int32 = 0
    // One whole block goes through at once and nothing is padded, so there is nothing to finish with;
    // the inverse cipher would else hold the block back as the one that may end in padding.
    let isDone = result.withMutableBytes { output in
      key.withBytes { key in
        unsafe key.withOctets { key, _ in
          unsafe block.withOctets { block, count in
            unsafe output.withOctets { output, _ in
              unsafe EVP_CipherInit_ex2(
                context, Algorithm.shared.pointer, key, nil, isEncryption ? 1 : 0, nil) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_CipherUpdate(context, output, &written, block, Int32(count)) == 1
            }
          }
        }
      }
    }
    guard isDone, written == 16 else { throw OpenSSLLibrary.failure(.encrypt) }
    return result
  }
}
