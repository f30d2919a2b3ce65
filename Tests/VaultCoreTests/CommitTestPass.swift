import AliroEngine
import Foundation
import SecureMemory
import VaultCrypto
import WireCoding

/// Passes for keys that a vault has made, as a credential issuer would issue them.
enum TestPass {
  private static var vectors: [String: Any] { json("aliro-vectors.json") }

  /// A part of the published vectors: what there is text, by name.
  static func vector(_ name: String) -> [String: String] {
    (vectors[name] as? [String: Any])?.compactMapValues { $0 as? String } ?? [:]
  }

  /// A document that cbor2 made, by its name among the vectors.
  static func madeDocument(_ name: String) -> [UInt8] {
    octets(json("documents/documents.json")[name])
  }

  /// The key of the readers' group, with its certificate.
  static let authority = octets(json("reader-ca-certificates.json")["readerGroup"])
  static let authorityKey = octets((vectors["publicKeys"] as? [String: Any])?["readerGroup"])

  /// The group's private key, which a reader without a certificate signs with.
  static func readerKey() throws -> P256PrivateKey {
    let scalar = octets((vectors["privateKeys"] as? [String: Any])?["readerGroup"])
    return try P256PrivateKey(scalar: SecretBytes(copying: scalar.span))
  }

  /// A message that every session takes as its first: the AUTH0 of the published vectors.
  static let auth0: [UInt8] = {
    let transaction = (vectors["transactions"] as? [[String: Any]])?.first
    return octets((transaction?["bleFrames"] as? [String: Any])?["auth0Request"])
  }()

  static func group(_ identifier: UInt8 = 7) -> TokenUnlockPass.ReaderGroup {
    TokenUnlockPass.ReaderGroup(
      groupIdentifier: [UInt8](repeating: identifier, count: 16), issuerCAPublicKey: authorityKey,
      issuerCACertificateDER: authority)
  }

  /// A whole pass, valid in 2023 and 2024.
  static func pass(
    for key: P256PublicKey, groups: [TokenUnlockPass.ReaderGroup] = [group()],
    from: String = "2023-01-01T00:00:00Z", until: String = "2025-01-01T00:00:00Z",
    type: String = "aliro-a", mailbox: Int? = nil
  ) -> TokenUnlockPass {
    TokenUnlockPass(
      accessDocument: document(for: key, from: from, until: until, type: type),
      readerGroups: groups,
      mailbox: mailbox.map {
        MailboxSettings(size: $0, isReadable: true, isWritable: true, isUsableInStepUp: true)
      })
  }

  /// An access document (protocol note, section 13).
  ///
  /// Its signature is of the right form only: without the issuer's key the vault does not ask for
  /// more.
  static func document(
    for key: P256PublicKey, from: String, until: String, type: String = "aliro-a"
  ) -> [UInt8] {
    let point = key.uncompressed
    // Version 1, and one rule: to unsecure, without a schedule.
    let rule = CBOR.map([(CBOR.unsigned(0), CBOR.unsigned(2))])
    let access = CBOR.map([
      (CBOR.unsigned(0), CBOR.unsigned(1)), (CBOR.unsigned(2), CBOR.array([rule])),
    ])
    let item = CBOR.tagged(
      24,
      CBOR.bytes(
        CBOR.map([
          (CBOR.text("1"), CBOR.unsigned(1)),
          (CBOR.text("2"), CBOR.bytes([UInt8](repeating: 9, count: 16))),
          (CBOR.text("3"), CBOR.text("floor1")), (CBOR.text("4"), access),
        ])))
    let digests = CBOR.map([(CBOR.unsigned(1), CBOR.bytes(SHA256.hash(item.span)))])
    let cose = CBOR.map([
      (CBOR.unsigned(1), CBOR.unsigned(2)), ([0x20], CBOR.unsigned(1)),
      ([0x21], CBOR.bytes(Array(point[1..<33]))), ([0x22], CBOR.bytes(Array(point[33...]))),
    ])
    func time(_ text: String) -> [UInt8] { CBOR.tagged(0, CBOR.text(text)) }
    let object = CBOR.map([
      (CBOR.text("1"), CBOR.text("1.0")), (CBOR.text("2"), CBOR.text("SHA-256")),
      (CBOR.text("3"), CBOR.map([(CBOR.text(type), digests)])),
      (CBOR.text("4"), CBOR.map([(CBOR.text("1"), cose)])), (CBOR.text("5"), CBOR.text(type)),
      (
        CBOR.text("6"),
        CBOR.map([
          (CBOR.text("1"), time(from)), (CBOR.text("2"), time(from)), (CBOR.text("3"), time(until)),
        ])
      ),
      (CBOR.text("7"), [0xF5]),
    ])
    let signature = CBOR.array([
      CBOR.bytes([0xA1, 0x01, 0x26]),
      CBOR.map([(CBOR.unsigned(4), CBOR.bytes([UInt8](repeating: 2, count: 8)))]),
      CBOR.bytes(CBOR.tagged(24, CBOR.bytes(object))),
      CBOR.bytes([UInt8](repeating: 1, count: 64)),
    ])
    return CBOR.map([
      (
        CBOR.text("1"),
        CBOR.map([
          (CBOR.text("1"), CBOR.map([(CBOR.text(type), CBOR.array([item]))])),
          (CBOR.text("2"), signature),
        ])
      ),
      (CBOR.text("5"), CBOR.text(type)),
    ])
  }

  private static func json(_ name: String) -> [String: Any] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/\(name)")
    guard let data = try? Data(contentsOf: path) else { return [:] }
    return (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
  }

  private static func octets(_ hex: Any?) -> [UInt8] {
    (hex as? String).flatMap { try? Hex.decode($0) } ?? []
  }
}

/// Writes CBOR (RFC 8949), the few forms a document needs.
private enum CBOR {
  static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [major << 5 | UInt8(count)]
    case ...0xFF: [major << 5 | 24, UInt8(count)]
    default: [major << 5 | 25, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
  }

  static func unsigned(_ value: Int) -> [UInt8] { head(0, value) }
  static func bytes(_ value: [UInt8]) -> [UInt8] { head(2, value.count) + value }
  static func text(_ value: String) -> [UInt8] { head(3, value.utf8.count) + Array(value.utf8) }
  static func array(_ items: [[UInt8]]) -> [UInt8] { head(4, items.count) + items.flatMap { $0 } }
  static func map(_ pairs: [([UInt8], [UInt8])]) -> [UInt8] {
    head(5, pairs.count) + pairs.flatMap { $0.0 + $0.1 }
  }
  static func tagged(_ tag: Int, _ item: [UInt8]) -> [UInt8] { head(6, tag) + item }
}
