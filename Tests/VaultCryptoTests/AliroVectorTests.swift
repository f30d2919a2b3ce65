import SecureMemory
import Testing

@testable import VaultCrypto

/// The primitives, put together as the Aliro transactions of the shared vectors use them.
@Suite struct AliroVectorTests {
  struct Document: Decodable {
    struct Transaction: Decodable {
      struct Input: Decodable {
        let deviceEphemeralPrivate: Hex
        let readerEphemeralPrivate: Hex
        let transactionIdentifier: Hex
        let readerSigningKey: Hex?
      }
      let name: String
      let input: Input
      let readerTBS: Hex?
      let readerSignature: Hex?
      let sharedSecretZ: Hex?
      let kdh: Hex?
      let hkdfInfo: Hex?
      let saltVolatile: Hex?
      let okm: Hex?
    }
    struct Certificate: Decodable {
      let issuerPublicKey: Hex
      let x509: Hex?
      let signatureValid: Bool?
    }
    struct Slot: Decodable {
      let publicKey: Hex
      let keySlot: Hex
    }
    let privateKeys: [String: Hex]
    let publicKeys: [String: Hex]
    let transactions: [Transaction]
    let certificates: [Certificate]
    let keySlots: [Slot]
  }

  let document: Document

  init() throws {
    try SecureHeap.start(bytes: 1 << 20)
    document = try Vectors.load("aliro-vectors.json")
  }

  @Test func `public keys follow from private keys`() throws {
    #expect(document.privateKeys.count == 12)
    for (name, scalar) in document.privateKeys {
      let key = try P256PrivateKey.decode(scalar.octets)
      #expect(key.publicKey.uncompressed == document.publicKeys[name]?.octets, "\(name)")
      #expect(octets(try key.scalar()) == scalar.octets, "\(name)")
    }
  }

  @Test func `agreement, X9.63 and HKDF give the session keys`() throws {
    var count = 0
    for transaction in document.transactions {
      guard let shared = transaction.sharedSecretZ, let kdh = transaction.kdh else { continue }
      count += 1
      let input = transaction.input
      let device = try P256PrivateKey.decode(input.deviceEphemeralPrivate.octets)
      let reader = try P256PrivateKey.decode(input.readerEphemeralPrivate.octets)
      let ours = try device.sharedSecret(with: reader.publicKey)
      #expect(octets(try reader.sharedSecret(with: device.publicKey)) == shared.octets)
      let key = try X963KDF.sha256(
        sharedSecret: ours, sharedInfo: input.transactionIdentifier.octets.span, count: 32)
      if let info = transaction.hkdfInfo, let salt = transaction.saltVolatile,
        let okm = transaction.okm
      {
        let derived = try HKDF.sha256(
          inputKey: key, salt: salt.octets.span, info: info.octets.span, count: okm.octets.count)
        #expect(octets(derived) == okm.octets, "\(transaction.name)")
      }
      #expect(octets(key) == kdh.octets, "\(transaction.name)")
      #expect(octets(ours) == shared.octets, "\(transaction.name)")
    }
    #expect(count == 4)
  }

  @Test func `reader signatures verify`() throws {
    var count = 0
    for transaction in document.transactions {
      guard let message = transaction.readerTBS, let raw = transaction.readerSignature,
        let point = transaction.input.readerSigningKey
      else { continue }
      count += 1
      let key = try P256PublicKey.decode(point.octets)
      let signature = try P256Signature.decode(raw: raw.octets)
      #expect(key.accepts(signature, message.octets), "\(transaction.name)")
      #expect(!key.accepts(signature, message.octets + [0]), "\(transaction.name)")
    }
    #expect(count == 4)
  }

  @Test func `certificates verify where they should`() throws {
    var count = 0
    for certificate in document.certificates {
      guard let octets = certificate.x509?.octets, let isValid = certificate.signatureValid else {
        continue
      }
      count += 1
      let issuer = try P256PublicKey.decode(certificate.issuerPublicKey.octets)
      let parsed = try X509Certificate.decode(octets)
      #expect(parsed.isSigned(by: issuer) == isValid)
      #expect(parsed.der == octets)
    }
    #expect(count == 5)
  }

  @Test func `key slots are cut from SHA-1`() {
    for slot in document.keySlots {
      let digest = SHA1.hash(slot.publicKey.octets.span)
      #expect(Array(digest.prefix(8)) == slot.keySlot.octets)
    }
  }
}
