import SimulatedReader
import VaultAPI
import VaultClient
import VaultCore
import VaultCrypto
import WireCoding

/// A made-up door with a pass for it in a vault, to be presented at again and again.
struct BenchMeeting {
  private let name: NamespaceName
  private let door: SimulatedDoor
  private let credential: P256PublicKey
  private let connection: CallConnection

  /// Makes the door, and has the vault store a pass for it.
  init(_ vault: BenchVault) throws(BenchFailure) {
    connection = try CallConnection(vault.clientSocket)
    do {
      name = try NamespaceName("bench/door")
      // A pass is sent as a secret is.
      var careful = try VaultConnection(path: vault.clientSocket)
      let key = try careful.call(.keyPublic(KeyPublicParams(namespace: name)))
      let point = try Base64.decode(key["point"]?.text ?? "")
      credential = try P256PublicKey(uncompressed: point.span)
      door = try SimulatedDoor(
        at: Timestamp(clamping: SystemClock().wallSeconds()), isCertified: false)
      let group = ReaderGroup(
        readerGroupId: door.groupIdentifier, issuerCaPublicKey: door.authorityKey.uncompressed,
        issuerCaCertificateDer: try door.authorityCertificate())
      let pass = PassContent(
        accessDocument: try door.accessDocument(for: credential), readerGroups: [group],
        credentialIssuerPublicKey: door.issuerKey.uncompressed)
      _ = try careful.call(.passStore(PassStoreParams(namespace: name, pass: pass)))
    } catch {
      throw BenchFailure("the door could not be set up: \(error)")
    }
  }

  /// Presentations in step with each other: open, SELECT, AUTH0, AUTH1, close; a good answer to each
  /// of all of them before the next.
  func meet(_ count: Int) throws(BenchFailure) {
    do {
      let plan = MeetingPlan(transport: .nfc, unsecures: true, asksForDocument: false)
      let readers = try (0..<count).map { _ in
        try SimulatedReader(door: door, credential: credential, plan: plan)
      }
      let opening = VaultRequest.presentationOpen(
        PresentationOpenParams(namespace: name, link: .nfc))
      let opened = try connection.calls(readers.map { _ in opening })
      let presentations = try opened.map {
        PresentationID(try Hex.decode($0["presentation"]?.text ?? ""))
      }
      var heard = [[UInt8]?](repeating: nil, count: count)
      for _ in 0..<3 {
        let said = try zip(readers, heard).map { try $0.receive($1) ?? [] }
        let steps = try connection.calls(
          zip(presentations, said).map {
            .presentationExchange(PresentationExchangeParams(presentation: $0, message: $1))
          })
        heard = try steps.map { try Base64.decode($0["messages"]?.elements?.first?.text ?? "") }
      }
      // The readers verify the answers to AUTH1.
      for (reader, answer) in zip(readers, heard) { _ = try reader.receive(answer) }
      _ = try connection.calls(
        presentations.map { .presentationClose(PresentationCloseParams(presentation: $0)) })
    } catch {
      throw BenchFailure("a presentation failed: \(error)")
    }
  }
}
