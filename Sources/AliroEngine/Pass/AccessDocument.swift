public import VaultCrypto
public import WireCoding

/// A signed document of a credential issuer (section 13), decoded: `{ "1": IssuerSigned, "5": docType }`.
///
/// Making one checks the form and every digest. It does not say whether the issuer is a good one:
/// ``isSigned(by:)`` does, for an issuer that the caller trusts.
public struct AccessDocument: Hashable, Sendable {
  /// The type of an access document, as opposed to a revocation document.
  public static let accessType = "aliro-a"

  /// The document's type.
  public let documentType: String
  /// When the issuer signed it; AUTH1 reports this time.
  public let signed: Timestamp
  /// The first second of its validity.
  public let validFrom: Timestamp
  /// The last second of its validity.
  public let validUntil: Timestamp
  /// The credential's public key.
  public let deviceKey: P256PublicKey
  /// The issuer's key identifier in the signature's header, when there is one.
  public let issuerKeyIdentifier: [UInt8]?

  private let signature: P256Signature
  private let signedOctets: [UInt8]

  /// Decodes a document.
  ///
  /// - Parameter bytes: the document, at most 64 KiB.
  /// - Throws: ``DocumentFlaw``.
  public init(_ bytes: [UInt8]) throws(DocumentFlaw) {
    guard !bytes.isEmpty else { throw .empty }
    let root = try CBORDecoder.decode(bytes)
    guard let type = root["5"]?.text else { throw .field("docType") }
    guard let issuerSigned = root["1"] else { throw .field("issuerSigned") }
    let envelope = try SignedEnvelope(issuerSigned["2"])
    let object = try MobileSecurityObject(envelope.payload)
    guard object.documentType == type else { throw .field("mso.docType") }
    try object.checkDigests(of: issuerSigned["1"], in: bytes)
    documentType = type
    signed = object.signed
    validFrom = object.validFrom
    validUntil = object.validUntil
    deviceKey = object.deviceKey
    issuerKeyIdentifier = envelope.keyIdentifier
    signature = envelope.signature
    signedOctets = envelope.signedOctets
  }

  /// Tells whether an issuer signed the document.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: whether the signature verifies, and the key identifier, if any, is the issuer's.
  public func isSigned(by issuer: P256PublicKey) -> Bool {
    guard issuerKeyIdentifier ?? Self.keyIdentifier(of: issuer) == Self.keyIdentifier(of: issuer)
    else { return false }
    return issuer.isValidSignature(signature, message: signedOctets.span)
  }

  /// How a document names its issuer: the start of SHA-256 over a label and the point.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: 8 octets. Not the key slot of AUTH1, which is a SHA-1 (section 15.9).
  public static func keyIdentifier(of issuer: P256PublicKey) -> [UInt8] {
    let label = Array("key-identifier".utf8) + issuer.uncompressed
    return Array(SHA256.hash(label.span).prefix(8))
  }
}
