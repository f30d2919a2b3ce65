import COpenSSL

/// A public key on P-256 that is known to be a point of the curve.
public struct P256PublicKey: Hashable, Sendable {
  /// The point as 65 octets, 04 ‖ x ‖ y.
  public let uncompressed: [UInt8]

  /// What DER puts before the 65 octets of the point (RFC 5480, 2): ecPublicKey on prime256v1.
  private static let infoPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// Takes an uncompressed point.
  ///
  /// - Parameter uncompressed: 65 octets; compressed and hybrid forms are refused.
  /// - Throws: ``VaultCryptoError/invalidPoint`` unless they are a point of the curve.
  public init(uncompressed: Span<UInt8>) throws(VaultCryptoError) {
    guard try P256Curve.shared().contains(uncompressed: uncompressed) else { throw .invalidPoint }
    self.uncompressed = [UInt8](copying: uncompressed)
  }

  /// Takes a DER SubjectPublicKeyInfo.
  ///
  /// - Parameter subjectPublicKeyInfo: 91 octets; the named curve and an uncompressed point.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another algorithm, curve or form, and
  ///   ``VaultCryptoError/invalidPoint`` unless the point is on the curve.
  public init(subjectPublicKeyInfo: Span<UInt8>) throws(VaultCryptoError) {
    let prefix = Self.infoPrefix
    guard subjectPublicKeyInfo.count == prefix.count + 65,
      prefix.indices.allSatisfy({ subjectPublicKeyInfo[$0] == prefix[$0] })
    else { throw .invalidKey }
    try self.init(uncompressed: subjectPublicKeyInfo.extracting(last: 65))
  }

  /// Takes a point that OpenSSL has just computed.
  init(computed uncompressed: [UInt8]) {
    self.uncompressed = uncompressed
  }

  /// The x coordinate, 32 octets.
  public var x: [UInt8] { [UInt8](uncompressed[1..<33]) }

  /// The key as a DER SubjectPublicKeyInfo, 91 octets.
  public var subjectPublicKeyInfo: [UInt8] { Self.infoPrefix + uncompressed }

  /// Tells whether this key made a signature over a digest.
  ///
  /// - Parameters:
  ///   - signature: the signature.
  ///   - digest: the SHA-256 of the message, 32 octets.
  /// - Returns: whether it verifies; `false` for another length of digest.
  public func isValidSignature(_ signature: P256Signature, digest: Span<UInt8>) -> Bool {
    guard digest.count == 32, let key = try? makeHandle() else { return false }
    return key.verify(signature.der.span, digest: digest)
  }

  /// Tells whether this key made a signature over the SHA-256 of a message.
  ///
  /// - Parameters:
  ///   - signature: the signature.
  ///   - message: the message, of any length.
  /// - Returns: whether it verifies.
  public func isValidSignature(_ signature: P256Signature, message: Span<UInt8>) -> Bool {
    isValidSignature(signature, digest: SHA256.hash(message).span)
  }

  /// Makes OpenSSL's form of the key.
  func makeHandle() throws(VaultCryptoError) -> OpenSSLKey {
    let model = try P256Curve.shared().model
    let made = unsafe uncompressed.span.withOctets { point, _ in
      unsafe latchkey_p256_public(model.pointer, point)
    }
    guard let made = unsafe made else { throw OpenSSLLibrary.failure(.importKey) }
    return unsafe OpenSSLKey(owning: made)
  }
}
