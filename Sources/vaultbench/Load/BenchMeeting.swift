import SimulatedReader
import VaultAPI
import VaultClient
import VaultCore
import VaultCrypto
import WireCoding

/// A made-up door with a pass for it in a vault, to be presented at again and again.
struct BenchMeeting: ~Copyable {
  private let name: NamespaceName
  private let door: SimulatedDoor
  private let credential: P256PublicKey
  private var connection: VaultConnection

  private init(
    _ name: NamespaceName, _ door: SimulatedDoor, _ credential: P256PublicKey,
    _ connection: consuming VaultConnection
  ) {
    self.name = name
    self.door = door
    self.credential = credential
    self.connection = connection
  }

  /// Makes a door, and has a vault store a pass for it.
  static func make(_ vault: BenchVault) throws(BenchFailure) -> BenchMeeting {
    do {
      let name = try NamespaceName("bench/door")
      var connection = try VaultConnection(path: vault.clientSocket)
      let key = try connection.call(.keyPublic(KeyPublicParams(namespace: name)))
      let point = try Base64.decode(key["point"]?.text ?? "")
      let credential = try P256PublicKey(uncompressed: point.span)
      let door = try SimulatedDoor(
        at: Timestamp(clamping: SystemClock().wallSeconds()), isCertified: false)
      let group = ReaderGroup(
        readerGroupId: door.groupIdentifier, issuerCaPublicKey: door.authorityKey.uncompressed,
        issuerCaCertificateDer: try door.authorityCertificate())
      let pass = PassContent(
        accessDocument: try door.accessDocument(for: credential), readerGroups: [group],
        credentialIssuerPublicKey: door.issuerKey.uncompressed)
      _ = try connection.call(.passStore(PassStoreParams(namespace: name, pass: pass)))
      return BenchMeeting(name, door, credential, connection)
    } catch {
      throw BenchFailure("the door could not be set up: \(error)")
    }
  }

  /// One presentation: open, SELECT, AUTH0, AUTH1, close; a good answer to each.
  mutating func meet() throws(BenchFailure) {
    do {
      let plan = MeetingPlan(transport: .nfc, unsecures: true, asksForDocument: false)
      let reader = try SimulatedReader(door: door, credential: credential, plan: plan)
      let opened = try connection.call(
        .presentationOpen(PresentationOpenParams(namespace: name, link: .nfc)))
      let presentation = PresentationID(try Hex.decode(opened["presentation"]?.text ?? ""))
      var heard: [UInt8]?
      for _ in 0..<3 {
        guard let said = try reader.receive(heard) else {
          throw BenchFailure("the reader has nothing more to say")
        }
        let step = try connection.call(
          .presentationExchange(
            PresentationExchangeParams(presentation: presentation, message: said)))
        heard = try Base64.decode(step["messages"]?.elements?.first?.text ?? "")
      }
      // The reader verifies the answer to AUTH1.
      _ = try reader.receive(heard)
      _ = try connection.call(
        .presentationClose(PresentationCloseParams(presentation: presentation)))
    } catch {
      throw BenchFailure("a presentation failed: \(error)")
    }
  }
}
