import COpenSSL
import Glibc

/// An X.509 certificate (RFC 5280) with a P-256 key, taken apart; nothing in it is trusted yet.
public struct X509Certificate: Hashable, Sendable {
  /// The certificate's octets, DER.
  public let der: [UInt8]
  /// The subject's public key.
  public let publicKey: P256PublicKey
  /// The first second of validity, Unix time.
  public let notBefore: Int64
  /// The last second of validity, Unix time.
  public let notAfter: Int64

  /// The octets that are signed.
  private let signedPart: [UInt8]
  /// The signature, `nil` when it is not ECDSA with SHA-256.
  private let signature: P256Signature?

  /// The largest certificate taken.
  public static let sizeLimit = 16 << 10

  /// Takes one certificate.
  ///
  /// - Parameter der: its octets in DER, at most ``sizeLimit``, with none left over.
  /// - Throws: ``VaultCryptoError/invalidCertificate`` for anything else, a key that is not P-256 in
  ///   its named, uncompressed form, or dates that are not those of RFC 5280.
  public init(der: Span<UInt8>) throws(VaultCryptoError) {
    guard der.count <= Self.sizeLimit else { throw .invalidCertificate }
    try OpenSSLLibrary.prepare()
    defer { OpenSSLLibrary.discardErrors() }
    let parsed = try ParsedCertificate(der: der)
    signedPart = try parsed.signedPart(of: der)
    self.der = [UInt8](copying: der)
    publicKey = try parsed.publicKey()
    notBefore = try parsed.notBefore()
    notAfter = try parsed.notAfter()
    guard notBefore <= notAfter else { throw .invalidCertificate }
    signature = parsed.signature()
  }

  /// Tells whether a key signed this certificate, with ECDSA and SHA-256.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: whether the signature verifies; names, dates and extensions are not looked at.
  public func isSigned(by issuer: P256PublicKey) -> Bool {
    guard let signature else { return false }
    return issuer.isValidSignature(signature, message: signedPart.span)
  }
}
