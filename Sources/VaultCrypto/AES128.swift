import COpenSSL
public import SecureMemory

/// The block cipher AES-128 (FIPS 197) for one block, where a format uses it as a keyed hash.
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
    guard key.count == 16 else { throw .invalidKey }
    guard block.count == 16 else { throw .invalidParameters }
    try OpenSSLLibrary.prepare()
    var encrypted = try SecretBytes.zeroed(16)
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw OpenSSLLibrary.failure(.encrypt) }
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      StackWipe.afterHash()
    }
    var written: Int32 = 0
    // One whole block goes through at once, so there is no padding to finish with.
    let isEncrypted = encrypted.withMutableBytes { output in
      key.withBytes { key in
        unsafe key.withOctets { key, _ in
          unsafe block.withOctets { block, count in
            unsafe output.withOctets { output, _ in
              unsafe EVP_EncryptInit_ex2(context, Algorithm.shared.pointer, key, nil, nil) == 1
                && EVP_EncryptUpdate(context, output, &written, block, Int32(count)) == 1
            }
          }
        }
      }
    }
    guard isEncrypted, written == 16 else { throw OpenSSLLibrary.failure(.encrypt) }
    return encrypted
  }
}
