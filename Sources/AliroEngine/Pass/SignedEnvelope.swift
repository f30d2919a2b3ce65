package import VaultCrypto

/// The COSE_Sign1 of a document: `[ protected, unprotected, payload, signature ]` (section 13).
package struct SignedEnvelope: Hashable, Sendable {
  /// The encoded object that is signed.
  let payload: [UInt8]
  /// The issuer's key identifier, when the envelope names one.
  let keyIdentifier: [UInt8]?
  /// Whether the envelope brings a certificate of its issuer.
  ///
  /// Nothing is made of it: a document cannot vouch for its own issuer, and a vault that verifies
  /// does so with a key it was given.
  let hasCertificate: Bool
  private let signature: P256Signature

  /// The one protected header in use: algorithm −7, ECDSA with SHA-256.
  package static let header: [UInt8] = [0xA1, 0x01, 0x26]

  /// Reads the envelope; its signature is not verified.
  init(_ item: CBORItem?) throws(DocumentFlaw) {
    guard let parts = item?.array, parts.count == 4 else { throw .field("issuerAuth") }
    guard parts[0].bytes == Self.header else { throw .field("issuerAuth.protected") }
    guard parts[1].map != nil else { throw .field("issuerAuth.unprotected") }
    guard let payload = parts[2].bytes else { throw .field("issuerAuth.payload") }
    guard let octets = parts[3].bytes, let signature = try? P256Signature(raw: octets.span) else {
      throw .field("issuerAuth.signature")
    }
    // The issuer is named by key identifier (4) or by certificate (33).
    keyIdentifier = parts[1][4]?.bytes
    hasCertificate = parts[1][33]?.bytes != nil
    guard keyIdentifier != nil || hasCertificate else { throw .field("issuerAuth.kid") }
    self.payload = payload
    self.signature = signature
  }

  /// Tells whether an issuer made the signature.
  ///
  /// - Returns: whether it verifies, and the key identifier, if any, is the issuer's.
  func isSigned(by issuer: P256PublicKey) -> Bool {
    let identifier = Self.keyIdentifier(of: issuer)
    guard keyIdentifier ?? identifier == identifier else { return false }
    return issuer.isValidSignature(signature, message: Self.signedOctets(payload).span)
  }

  /// How a document names its issuer: the start of SHA-256 over a label and the point.
  ///
  /// - Returns: 8 octets. Not the key slot of AUTH1, which is a SHA-1 (section 15.9).
  package static func keyIdentifier(of issuer: P256PublicKey) -> [UInt8] {
    let label = Array("key-identifier".utf8) + issuer.uncompressed
    return Array(SHA256.hash(label.span).prefix(8))
  }

  /// What the signature covers: `["Signature1", protected, h'', payload]` in CBOR.
  package static func signedOctets(_ payload: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(4)
    writer.text("Signature1")
    writer.bytes(header)
    writer.bytes([])
    writer.bytes(payload)
    return writer.encoded
  }
}
