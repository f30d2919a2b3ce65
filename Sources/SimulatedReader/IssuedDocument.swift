import AliroEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// An access document before it is signed (section 13): one element, which lets its holder lock and
/// unlock at any time.
struct IssuedDocument {
  /// The element that the lock asks for.
  static let element = "simulated-door"
  /// Capabilities: to secure (1) and to unsecure (2).
  private static let capabilities = 3

  let credential: P256PublicKey
  let validity: ClosedRange<Timestamp>

  /// Signs it.
  ///
  /// - Returns: `{ "1": IssuerSigned, "5": docType }`.
  func signed(by issuer: P256PrivateKey) throws(ReaderFault) -> [UInt8] {
    let item = CBORValue.wrapped([
      "1": 1, "2": .bytes(SecureRandom.bytes(16)), "3": .text(Self.element),
      "4": [0: 0, 1: .bytes(Array("simulation".utf8)), 2: [[0: .number(Self.capabilities)]]],
    ])
    let payload = CBORValue.wrapped(securityObject(digest: SHA256.hash(item.encoded.span))).encoded
    let signature = try computing {
      try issuer.signature(message: SignedEnvelope.signedOctets(payload).span)
    }
    let envelope: CBORValue = [
      .bytes(SignedEnvelope.header),
      [4: .bytes(SignedEnvelope.keyIdentifier(of: issuer.publicKey))],
      .bytes(payload), .bytes(signature.raw),
    ]
    let type = CBORValue.text(AccessDocument.type)
    let document: CBORValue = ["1": ["1": [type: [item]], "2": envelope], "5": type]
    return document.encoded
  }

  /// What the issuer vouches for: the element's digest, whose it is, and when it holds.
  private func securityObject(digest: [UInt8]) -> CBORValue {
    let type = CBORValue.text(AccessDocument.type)
    let start = CBORValue.tagged(0, .text(validity.lowerBound.description))
    let end = CBORValue.tagged(0, .text(validity.upperBound.description))
    // A COSE_Key: EC2 on P-256 with both coordinates.
    let key: CBORValue = [
      1: 2, -1: 1, -2: .bytes(credential.x),
      -3: .bytes(Array(credential.uncompressed.suffix(32))),
    ]
    return [
      "1": "1.0", "2": "SHA-256", "3": [type: [1: .bytes(digest)]], "4": ["1": key], "5": type,
      "6": ["1": start, "2": start, "3": end], "7": true,
    ]
  }
}
