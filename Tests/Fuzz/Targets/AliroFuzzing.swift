import AliroEngine
import Foundation
import SecureMemory
import VaultCrypto
import WireCoding

/// What the Aliro targets share: the throw-away keys of the published vectors, and a pass for them.
struct AliroFuzzing: Sendable {
  /// A credential that signs.
  struct Signer: CredentialSigner {
    let key: P256PrivateKey

    var publicKey: P256PublicKey { key.publicKey }

    func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
      do {
        return try key.signature(message: transcript.bytes.span)
      } catch {
        throw .refused(Refusal(.keyUnusable, "No signature."))
      }
    }
  }

  /// The ephemeral key of the vectors' first transaction, so that their AUTH1 goes through.
  private struct Ephemeral: SessionKeySource {
    let key: P256PrivateKey

    func makeEphemeralKey() throws(AliroError) -> P256PrivateKey { key }

    func makeDecoyKey() throws(AliroError) -> SecretBytes {
      do {
        return try SecretBytes(zeroed: 32)
      } catch {
        throw .refused(Refusal(.busy, "No memory."))
      }
    }
  }

  /// A credential that keeps nothing.
  struct Memory: PresentationMemory {
    func persistentKey(
      of readerIdentifier: [UInt8], at time: Timestamp
    ) throws(AliroError) -> SecretBytes? { nil }

    func mailbox() throws(AliroError) -> [UInt8]? { nil }
  }

  /// A moment at which the vectors hold.
  static let moment = Moment(time: Timestamp(clamping: 1_772_366_400), uptime: 0)

  static let shared: AliroFuzzing = {
    do {
      return try AliroFuzzing()
    } catch {
      fatalError("the vectors cannot be used: \(error)")
    }
  }()

  let signer: Signer
  let auth0: [UInt8]
  let auth1: [UInt8]
  private let configuration: PresentationConfiguration

  private init() throws {
    try SecureHeap.start(bytes: 1 << 20)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Vectors")
    let vectors = try Self.object(folder, "aliro-vectors.json")
    let certificates = try Self.object(folder, "reader-ca-certificates.json")
    let keys = vectors["privateKeys"] as? [String: String] ?? [:]
    let points = vectors["publicKeys"] as? [String: String] ?? [:]
    let document = (vectors["accessDocument"] as? [String: Any])?["document"]
    let transactions = vectors["transactions"] as? [[String: Any]] ?? []
    signer = Signer(key: try Self.key(keys["credential"]))
    auth0 = Self.frame(Self.octets(transactions.first?["auth0Command"]))
    auth1 = Self.frame(Self.octets(transactions.first?["auth1Command"]))
    let groups = ["readerGroup": 0, "readerIssuerCA": 2].map { name, index in
      let input = transactions[index]["input"] as? [String: String]
      return TokenUnlockPass.ReaderGroup(
        groupIdentifier: Array(Self.octets(input?["readerIdentifier"]).prefix(16)),
        issuerCAPublicKey: Self.octets(points[name]),
        issuerCACertificateDER: Self.octets(certificates[name]))
    }
    let pass = TokenUnlockPass(accessDocument: Self.octets(document), readerGroups: groups)
    let valid = try pass.validate(for: signer.publicKey)
    configuration = try PresentationConfiguration(
      transport: .ble(readerVersions: [1, 0], version: [1, 0], intent: .unsecure),
      credential: .usable(UsableCredential(pass: valid, signer: signer)),
      keys: Ephemeral(key: try Self.key(keys["deviceEphemeral1"])), userAuthentication: .refused)
  }

  /// A presentation that was started.
  func session() -> AliroPresentation {
    var presentation = AliroPresentation(configuration: configuration)
    _ = presentation.start(at: Self.moment)
    return presentation
  }

  /// A command in as many chained parts as it takes, framed.
  static func parts(_ instruction: UInt8, _ data: [UInt8]) -> [[UInt8]] {
    guard !data.isEmpty else { return [frame([0x80, instruction, 0, 0])] }
    return stride(from: 0, to: data.count, by: 255).map { start in
      let part = Array(data[start..<min(start + 255, data.count)])
      let isLast = start + 255 >= data.count
      return frame([isLast ? 0x80 : 0x90, instruction, 0, 0, UInt8(part.count)] + part)
    }
  }

  private static func frame(_ apdu: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(apdu.count >> 8), UInt8(apdu.count & 0xFF)] + apdu
  }

  private static func object(_ folder: URL, _ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: name))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  private static func octets(_ text: Any?) -> [UInt8] {
    let text = Array((text as? String ?? "").utf8)
    return (try? Hex.decode(text.span)) ?? []
  }

  private static func key(_ text: String?) throws -> P256PrivateKey {
    try P256PrivateKey(scalar: SecretBytes(copying: octets(text).span))
  }
}
