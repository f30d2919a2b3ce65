import VaultCrypto

/// The COSE_Sign1 of a document: `[ protected, unprotected, payload, signature ]` (section 13).
struct SignedEnvelope {
  /// The encoded object that is signed.
  let payload: [UInt8]
  /// The issuer's key identifier, when the envelope names one.
  let keyIdentifier: [UInt8]?
  let signature: P256Signature
  /// What the signature covers: `["Signature1", protected, h'', payload]` in CBOR.
  let signedOctets: [UInt8]

  /// The one protected header in use: algorithm −7, ECDSA with SHA-256.
  private static let header: [UInt8] = [0xA1, 0x01, 0x26]

  /// Reads the envelope; its signature is not verified.
  init(_ item: CBORItem?) throws(DocumentFlaw) {
    guard let parts = item?.array, parts.count == 4 else { throw .field("issuerAuth") }
    guard parts[0].bytes == Self.header else { throw .field("issuerAuth.protected") }
    guard parts[1].map != nil else { throw .field("issuerAuth.unprotected") }
    guard let payload = parts[2].bytes else { throw .field("issuerAuth.payload") }
    guard let octets = parts[3].bytes, let signature = try? P256Signature(raw: octets.span) else {
      throw .field("issuerAuth.signature")
    }
    // The issuer is named by key identifier (4) or by certificate (33). A vault that verifies does
    // so with a key it was given, so the certificate is of no use here.
    let identifier = parts[1][4]?.bytes
    guard identifier != nil || parts[1][33]?.bytes != nil else { throw .field("issuerAuth.kid") }
    keyIdentifier = identifier
    self.payload = payload
    self.signature = signature
    signedOctets =
      [0x84, 0x6A] + Array("Signature1".utf8) + [0x43] + Self.header + [0x40]
      + Self.byteStringHead(payload.count) + payload
  }

  /// The head of a byte string of at most 64 KiB.
  private static func byteStringHead(_ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [0x40 | UInt8(count)]
    case ...0xFF: [0x58, UInt8(count)]
    default: [0x59, UInt8(truncatingIfNeeded: count >> 8), UInt8(count & 0xFF)]
    }
  }
}
