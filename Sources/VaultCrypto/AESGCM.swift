import COpenSSL
public import SecureMemory

/// The cipher AES-GCM (NIST SP 800-38D) with 96-bit nonces and 128-bit tags.
///
/// The key schedule exists only during a call, and is wiped after it.
public struct AESGCM: ~Copyable, Sendable {
  private let key: SecretBytes

  /// Takes over a key.
  ///
  /// - Parameter key: 32 octets, or 16 for AES-128.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length.
  public init(key: consuming SecretBytes) throws(VaultCryptoError) {
    guard key.count == 32 || key.count == 16 else { throw .invalidKey }
    self.key = key
  }

  /// Encrypts and authenticates.
  ///
  /// - Parameters:
  ///   - plaintext: the octets to encrypt.
  ///   - nonce: 12 octets, never used twice with one key.
  ///   - associatedData: octets to authenticate along with them.
  /// - Returns: the ciphertext followed by the 16-octet tag.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another nonce length or more than 1 GiB.
  public borrowing func seal(
    _ plaintext: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> [UInt8] {
    let context = try AESGCMContext()
    try context.start(key: key, nonce: nonce, isEncrypting: true, octets: plaintext.count)
    var sealed = [UInt8](repeating: 0, count: plaintext.count + 16)
    var output = sealed.mutableSpan
    let isSealed =
      context.authenticate(associatedData) && context.update(plaintext, into: &output)
      && context.finish() && context.writeTag(to: &output, at: plaintext.count)
    guard isSealed else { throw OpenSSLLibrary.failure(.encrypt) }
    return sealed
  }

  /// Checks and decrypts.
  ///
  /// - Parameters:
  ///   - sealed: the ciphertext followed by the 16-octet tag.
  ///   - nonce: the 12 octets it was sealed with.
  ///   - associatedData: the octets authenticated along with it.
  /// - Returns: the plaintext.
  /// - Throws: ``VaultCryptoError/authenticationFailed`` when anything differs,
  ///   ``VaultCryptoError/invalidParameters`` for another nonce length or more than 1 GiB, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public borrowing func open(
    _ sealed: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>
  ) throws(VaultCryptoError) -> SecretBytes {
    guard sealed.count >= 16 else { throw .authenticationFailed }
    let count = sealed.count - 16
    let context = try AESGCMContext()
    try context.start(key: key, nonce: nonce, isEncrypting: false, octets: count)
    var plaintext = try SecretBytes.zeroed(count)
    let isOpened = plaintext.withMutableBytes { output in
      context.setTag(sealed.extracting(last: 16)) && context.authenticate(associatedData)
        && context.update(sealed.extracting(first: count), into: &output) && context.finish()
    }
    guard isOpened else {
      OpenSSLLibrary.discardErrors()
      throw .authenticationFailed
    }
    return plaintext
  }
}
