import Foundation
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine
@testable import SimulatedReader

/// The simulated lock: against the vectors and the independent reader, and with the engine.
@Suite struct SimulatedReaderTests {
  /// A meeting of a transaction of the vectors, as its lock has it.
  private func meeting(_ vector: Vector) throws -> Meeting {
    let authority = try #require(
      try ["readerGroup", "readerIssuerCA"].map { try vectorKey($0) }.first {
        $0.publicKey.uncompressed == vector.input.readerGroupKey.hex
      })
    let door = SimulatedDoor(
      issuer: authority, authority: authority, lock: authority, certificate: nil,
      readerIdentifier: vector.input.readerIdentifier.hex, validity: someDay...someDay)
    return Meeting(
      door: door, credential: try vectorPoint("credential"),
      interface: vector.transport.text == "nfc" ? .nfc : .ble,
      command: try Auth0Command(try CommandAPDU(vector.auth0Command.hex).data),
      ephemeralKey: try privateKey(vector.input.readerEphemeralPrivate.hex),
      deviceKey: try privateKey(vector.input.deviceEphemeralPrivate.hex).publicKey)
  }

  private func octets(_ block: borrowing KeyBlock, _ index: Int) throws -> [UInt8] {
    try block.key(index).withBytes { Array(copying: $0) }
  }

  @Test(arguments: [0, 2, 3, 4])
  func `transcripts and keys of the standard form are the vectors'`(index: Int) throws {
    let vector = Vector.all.transactions[index]
    let meeting = try meeting(vector)
    #expect(meeting.fields.readerTranscript == vector.readerTBS.hex)
    #expect(meeting.fields.deviceTranscript == vector.deviceTBS.hex)
    let agreed = try meeting.agreedKey()
    #expect(agreed.withBytes { Array(copying: $0) } == vector.kdh.hex)
    let keys = try meeting.keys(.volatile, from: agreed)
    #expect(try octets(keys, 0) == vector.expeditedSKReader.hex)
    #expect(try octets(keys, 1) == vector.expeditedSKDevice.hex)
    #expect(try octets(keys, 2) == vector.stepUpSK.hex)
    #expect(try octets(keys, 3) == vector.bleSK.hex)
    #expect(try octets(try meeting.keys(.persistent, from: agreed), 0) == vector.kPersistent.hex)
  }

  @Test func `keys of the fast form are the vectors'`() throws {
    let vector = Vector.all.transactions[1]
    let persistent = try secret(vector.input.kPersistent.hex)
    let keys = try meeting(vector).keys(.volatileFast, from: persistent)
    #expect(try octets(keys, 0) == vector.cryptogramSK.hex)
    #expect(try octets(keys, 1) == vector.expeditedSKReader.hex)
    #expect(try octets(keys, 2) == vector.expeditedSKDevice.hex)
    #expect(try octets(keys, 3) == vector.bleSK.hex)
  }

  @Test func `the lock's end of the notification channel is the vectors'`() throws {
    let vector = Vector.all.transactions[0]
    var channel = try BLEChannel(
      root: try secret(vector.bleSK.hex), salt: vector.bleKdfSalt.hex, of: .fromReader)
    for message in vector.bleMessages.list {
      let sealed = try BLEMessage(message.wire.hex.span)
      let plain = BLEMessage(
        protocolNumber: sealed.protocolNumber, id: sealed.id, payload: message.payload.hex)
      if message.direction.text == "reader-to-device" {
        #expect(try channel.seal(plain) == sealed)
      } else {
        #expect(try channel.open(sealed) == plain)
      }
    }
  }
}

// MARK: - What is issued

extension SimulatedReaderTests {
  /// `Tests/Interop/aliro_reader` and python-cryptography, which share no code with this package.
  private static let oracle = """
    import sys
    from datetime import datetime, timezone
    sys.path.insert(0, sys.argv[1])
    from cryptography import x509
    from aliro_reader import certificate, document
    now = datetime.fromisoformat(sys.argv[2].replace("Z", "+00:00"))
    pass_document, issuer, credential, compressed, authority, ca = map(bytes.fromhex, sys.argv[3:])
    mso = document.check_access_document(pass_document, issuer, credential)
    assert mso["6"]["2"] < now < mso["6"]["3"]
    reader = certificate.parse(compressed)
    reader.verify(authority, now)
    ca = x509.load_der_x509_certificate(ca)
    ca.verify_directly_issued_by(ca)
    x509.load_der_x509_certificate(reader.x509(authority)).verify_directly_issued_by(ca)
    """

  @Test func `the independent reader takes the access document and both certificates`() throws {
    _ = secureHeap
    let door = try SimulatedDoor(at: someDay, isCertified: true)
    let credential = try vectorPoint("credential")
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appending(path: ".build/venv/bin/python")
    process.arguments =
      ["-c", Self.oracle, root.appending(path: "Tests/Interop").path, someDay.description]
      + [
        try door.accessDocument(for: credential), door.issuerKey.uncompressed,
        credential.uncompressed, try #require(door.certificate), door.authorityKey.uncompressed,
        try door.authorityCertificate(),
      ].map { Hex.encode($0.span) }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

// MARK: - With the engine

extension SimulatedReaderTests {
  /// A kind of transaction.
  struct Kind: Sendable, CustomTestStringConvertible {
    let transport: MeetingPlan.Transport
    let isCertified: Bool
    let unsecures: Bool
    let asksForDocument: Bool

    static let all = [MeetingPlan.Transport.ble, .nfc].flatMap { transport in
      [true, false].flatMap { isCertified in
        [true, false].map { asksForDocument in
          Kind(
            transport: transport, isCertified: isCertified, unsecures: isCertified,
            asksForDocument: asksForDocument)
        }
      }
    }

    var plan: MeetingPlan {
      MeetingPlan(transport: transport, unsecures: unsecures, asksForDocument: asksForDocument)
    }

    var testDescription: String {
      let words = (isCertified ? "certified" : "direct", asksForDocument ? "step-up" : "plain")
      return "\(transport), \(words.0), \(words.1)"
    }
  }

  /// A door, and a vault's side that has a pass for it.
  private struct Site {
    let kind: Kind
    let door: SimulatedDoor
    let memory = FakeMemory()
    let signer: SpySigner
    private let pass: ValidatedPass

    init(_ kind: Kind) throws {
      _ = secureHeap
      self.kind = kind
      door = try SimulatedDoor(at: someDay, isCertified: kind.isCertified)
      signer = try SpySigner()
      pass = try TokenUnlockPass(
        accessDocument: try door.accessDocument(for: signer.publicKey),
        readerGroups: [
          TokenUnlockPass.ReaderGroup(
            groupIdentifier: door.groupIdentifier,
            issuerCAPublicKey: door.authorityKey.uncompressed,
            issuerCACertificateDER: try door.authorityCertificate())
        ], credentialIssuerKey: door.issuerKey.uncompressed
      ).validate(for: signer.publicKey)
    }

    func reader(_ persistentKey: PersistentKey? = nil) throws -> SimulatedReader {
      try SimulatedReader(
        door: door, credential: signer.publicKey, plan: kind.plan, persistentKey: persistentKey)
    }

    /// Lets lock and engine talk to the end; the messages of the device may be changed on the way.
    func meet(
      _ reader: SimulatedReader, spoil: (Int, inout [UInt8]) -> Void = { _, _ in }
    ) throws -> PresentationStep {
      let session = try Session(
        .usable(UsableCredential(pass: pass, signer: signer)), signer: signer,
        keys: FixedEphemeralKey(key: try vectorKey("deviceEphemeral1")),
        transport: kind.transport == .nfc ? .nfc : ble(kind.unsecures ? .unsecure : .secure),
        memory: memory)
      var step = session.start()
      var count = 0
      while true {
        let message = step.messages.first.map { message in
          var message = message
          spoil(count, &message)
          count += 1
          return message
        }
        guard let said = try reader.receive(message) else { return step }
        step = session.receive(said)
      }
    }
  }

  @Test(arguments: Kind.all)
  func `lock and engine come to the end, and again in the fast form`(_ kind: Kind) throws {
    let site = try Site(kind)
    let first = try site.reader()
    #expect(try site.meet(first).events.map(\.kind) == [.accessGranted])
    #expect(first.steps.contains { $0.name == "LOAD CERT" } == kind.isCertified)
    #expect(first.steps.contains { $0.name == "ENVELOPE" } == kind.asksForDocument)
    let key: PersistentKey = try #require(first.persistentKey)
    let second = try site.reader(key)
    #expect(try site.meet(second).events.last?.kind == .accessGranted)
    #expect(!second.steps.contains { $0.name == "AUTH1" })
    #expect(site.signer.transcripts.count == 1)
  }

  @Test(arguments: Kind.all)
  func `the lock goes no further when anything it hears is changed`(_ kind: Kind) throws {
    let site = try Site(kind)
    var heard: [[UInt8]] = []
    let key: PersistentKey = try {
      let reader = try site.reader()
      _ = try site.meet(reader) { _, message in heard.append(message) }
      return try #require(reader.persistentKey)
    }()
    for isFast in [false, true] {
      for (index, message) in heard.enumerated() {
        for offset in stride(from: 0, to: message.count, by: 9).map({ message.count - 1 - $0 }) {
          // How much is left to fetch is no more than a hint.
          guard offset != message.count - 1 || message[message.count - 2] != 0x61 else { continue }
          var isHeard = false
          let reader = try site.reader(isFast ? key : nil)
          #expect(throws: ReaderFault.self, "\(index) \(offset)") {
            _ = try site.meet(reader) { count, message in
              guard count == index, offset < message.count else { return }
              message[offset] ^= 0x10
              isHeard = true
            }
            // The fast form has fewer messages.
            if !isHeard { throw ReaderFault.refused("") }
          }
        }
      }
    }
  }
}
