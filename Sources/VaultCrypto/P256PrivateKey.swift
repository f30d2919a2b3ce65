import COpenSSL
public import SecureMemory

/// A private key on P-256 whose scalar lives in OpenSSL's secure heap.
///
/// Any number of threads may use one key at once. ``SecureHeap/start(bytes:)`` comes first; until
/// then every key is refused with ``VaultCryptoError/secureHeapNotStarted``.
public final class P256PrivateKey: Sendable {
  /// The public key.
  public let publicKey: P256PublicKey

  let key: OpenSSLKey
  private let signers = SigningContextPool()

  private init(_ key: OpenSSLKey, _ publicKey: P256PublicKey) {
    self.key = key
    self.publicKey = publicKey
  }

  /// Makes a key with a random scalar.
  ///
  /// - Returns: the key.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public static func generate() throws(VaultCryptoError) -> P256PrivateKey {
    try SecureHeap.require()
    defer { StackWipe.afterPublicKeyOperation() }
    let model = try P256Curve.shared().model
    var point = [UInt8](repeating: 0, count: 65)
    let generated = unsafe point.withOctets { point, _ in
      unsafe latchkey_p256_generate(model.pointer, point)
    }
    guard let generated = unsafe generated else { throw OpenSSLLibrary.failure(.generate) }
    return P256PrivateKey(unsafe OpenSSLKey(owning: generated), P256PublicKey(computed: point))
  }

  /// Takes a scalar and computes the public key; the secret stays the caller's.
  ///
  /// - Parameter scalar: 32 big-endian octets, from 1 to the group order less one.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length or number, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public convenience init(scalar: borrowing SecretBytes) throws(VaultCryptoError) {
    try SecureHeap.require()
    defer { StackWipe.afterPublicKeyOperation() }
    guard scalar.withBytes({ P256Curve.isScalar($0) }) else { throw .invalidKey }
    let curve = try P256Curve.shared()
    var point = [UInt8](repeating: 0, count: 65)
    let isComputed = scalar.withBytes { scalar in
      unsafe scalar.withOctets { scalar, _ in
        unsafe point.withOctets { point, _ in
          unsafe latchkey_p256_point(curve.group, scalar, point) == 1
        }
      }
    }
    guard isComputed else { throw OpenSSLLibrary.failure(.curve) }
    try self.init(scalar: scalar, publicKey: P256PublicKey(computed: point))
  }

  /// Takes a scalar together with its public key, which saves computing it.
  ///
  /// The two are not compared, so they must come out of one sealed record; signatures belong to the
  /// scalar, whatever ``publicKey`` says.
  ///
  /// - Parameters:
  ///   - scalar: 32 big-endian octets, from 1 to the group order less one.
  ///   - publicKey: the public key of that scalar.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length or number, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public init(
    scalar: borrowing SecretBytes, publicKey: P256PublicKey
  ) throws(VaultCryptoError) {
    try SecureHeap.require()
    try OpenSSLLibrary.prepare()
    defer { StackWipe.afterPublicKeyOperation() }
    guard scalar.withBytes({ P256Curve.isScalar($0) }) else { throw .invalidKey }
    var native = try SecretBytes.copy(of: scalar)
    native.reverse()
    var point = publicKey.uncompressed
    let imported = unsafe native.withMutableBytes { native in
      unsafe native.withOctets { native, _ in
        unsafe point.withOctets { point, _ in unsafe latchkey_p256_import(point, native) }
      }
    }
    guard let imported = unsafe imported else { throw OpenSSLLibrary.failure(.importKey) }
    key = unsafe OpenSSLKey(owning: imported)
    self.publicKey = publicKey
  }

  /// Copies the scalar out, for sealing.
  ///
  /// - Returns: 32 big-endian octets.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public func scalar() throws(VaultCryptoError) -> SecretBytes {
    defer { StackWipe.afterPublicKeyOperation() }
    var scalar = try SecretBytes.zeroed(32)
    let isRead = scalar.withMutableBytes { scalar in
      unsafe scalar.withOctets { scalar, _ in
        unsafe latchkey_p256_scalar(key.pointer, scalar) == 1
      }
    }
    guard isRead else { throw OpenSSLLibrary.failure(.exportKey) }
    scalar.reverse()
    return scalar
  }

  /// Signs a digest.
  ///
  /// - Parameter digest: a SHA-256, 32 octets.
  /// - Returns: the signature.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another length of digest, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public func signature(digest: Span<UInt8>) throws(VaultCryptoError) -> P256Signature {
    guard digest.count == 32 else { throw .invalidParameters }
    defer { StackWipe.afterPublicKeyOperation() }
    let context = try signers.take(for: key)
    var buffer: InlineArray<72, UInt8> = .init(repeating: 0)
    var output = buffer.mutableSpan
    guard let count = context.sign(digest, into: &output) else {
      throw OpenSSLLibrary.failure(.sign)
    }
    signers.give(back: context)
    return try P256Signature(der: buffer.span.extracting(first: count))
  }

  /// Signs the SHA-256 of a message.
  ///
  /// - Parameter message: the message, of any length.
  /// - Returns: the signature.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public func signature(message: Span<UInt8>) throws(VaultCryptoError) -> P256Signature {
    try signature(digest: SHA256.hash(message).span)
  }

  /// Computes the shared secret with another key (ECDH).
  ///
  /// - Parameter peer: the other side's public key.
  /// - Returns: the x coordinate of the shared point, 32 octets.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public func sharedSecret(with peer: P256PublicKey) throws(VaultCryptoError) -> SecretBytes {
    defer { StackWipe.afterPublicKeyOperation() }
    let other = try peer.makeHandle()
    var secret = try SecretBytes.zeroed(32)
    guard secret.withMutableBytes({ key.agree(with: other, into: &$0) }) else {
      throw OpenSSLLibrary.failure(.agree)
    }
    return secret
  }
}
