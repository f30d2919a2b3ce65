import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

extension KeyBlock {
  /// All keys of the row, to be compared.
  var octets: [UInt8] {
    get throws {
      var octets: [UInt8] = []
      for index in 0..<Self.keys {
        let key = try key(index)
        octets += key.withBytes { Array(copying: $0) }
      }
      return octets
    }
  }
}

/// One of the vectors' transactions.
struct Transaction: Sendable, CustomTestStringConvertible {
  let vector: Vector

  static let direct = Transaction(vector: Vector.all.transactions[0])
  static let certified = Transaction(vector: Vector.all.transactions[2])
  static let extended = Transaction(vector: Vector.all.transactions[4])
  static let fast = Transaction(vector: Vector.all.transactions[1])
  static let nfc = Transaction(vector: Vector.all.transactions[3])
  /// Those that take the standard path.
  static let standard = [direct, certified, nfc, extended]

  var testDescription: String { vector.name.text }

  /// What the vectors say of the credential's documents at each of them.
  var documents: DocumentInfo {
    let signed = time("2026-01-15T08:30:00Z")
    let access = DocumentInfo.Validity(
      signed: signed, validFrom: signed, validUntil: time("2027-01-15T00:00:00Z"))
    // The fast transaction has the credential of the first.
    guard !vector.auth1ResponsePlaintext.isMissing else { return DocumentInfo(access: access) }
    return switch vector.auth1ResponsePlaintext.text {
    case let text where text.contains("5e020003"):
      DocumentInfo(access: access, revocationSigned: time("2026-02-01T00:00:00Z"))
    case let text where text.contains("5e020001"): DocumentInfo(access: access)
    default: DocumentInfo(access: nil)
    }
  }

  var groupIdentifier: [UInt8] { Array(vector.input.readerIdentifier.hex.prefix(16)) }

  func trust() throws -> ReaderGroupTrust {
    ReaderGroupTrust(
      groupIdentifier: groupIdentifier, key: try point(vector.input.readerGroupKey.hex))
  }

  /// How the vectors' messages travel.
  func transport(_ intent: PresentationIntent = .unsecure) -> PresentationTransport {
    vector.transport.text == "nfc" ? .nfc : ble(intent)
  }

  var ephemeralKey: FixedEphemeralKey {
    get throws { FixedEphemeralKey(key: try privateKey(vector.input.deviceEphemeralPrivate.hex)) }
  }

  func session(
    signer: SpySigner? = nil, transport: PresentationTransport? = nil,
    trust: [ReaderGroupTrust]? = nil, documents: DocumentInfo? = nil, refusal: Refusal? = nil,
    shown: CredentialDocuments? = nil, keys: (any SessionKeySource)? = nil,
    mailbox: MailboxSettings? = nil,
    userAuthentication: UserAuthentication = .refused, memory: FakeMemory = FakeMemory()
  ) throws -> Session {
    let prepared = vector.deviceSignature.isMissing ? nil : vector.deviceSignature.hex
    let signer = try signer ?? SpySigner(prepared: prepared)
    let usable = UsableCredential(
      signer: signer, trust: try trust ?? [self.trust()], documents: documents ?? self.documents,
      shownDocuments: try shown
        ?? CredentialDocuments(access: AccessDocument(Vector.all.accessDocument.document.hex)),
      mailbox: mailbox)
    return try Session(
      refusal.map { .refused($0) } ?? .usable(usable), signer: signer,
      keys: keys ?? ephemeralKey, transport: transport ?? self.transport(),
      userAuthentication: userAuthentication, memory: memory)
  }

  /// A session that was started, and has heard nothing yet.
  func started() throws -> Session {
    let session = try session()
    _ = session.start()
    return session
  }

  /// A session after AUTH0, and LOAD CERT where the transaction has one.
  func beforeAuth1(_ session: Session) {
    _ = session.start()
    if !vector.selectCommand.isMissing { _ = session.command(vector.selectCommand.hex) }
    #expect(session.command(vector.auth0Command.hex).statusWord == 0x9000)
    if !vector.loadCertCommand.isMissing {
      #expect(session.command(vector.loadCertCommand.hex).statusWord == 0x9000)
    }
  }

  /// A session after AUTH1.
  func afterAuth1(_ session: Session) {
    beforeAuth1(session)
    #expect(session.command(vector.auth1Command.hex).state == .awaitingCompletion)
  }

  func channel() throws -> ReaderChannel {
    try ReaderChannel(readerKey: vector.bleSKReader.hex, deviceKey: vector.bleSKDevice.hex)
  }

  /// The reader's end of the step-up channel.
  func stepUpChannel() throws -> ReaderCommands {
    try ReaderCommands(
      readerKey: vector.stepUpSKReader.hex, deviceKey: vector.stepUpSKDevice.hex)
  }

  /// What a vault keeps after the transaction.
  var keptKey: FakeMemory {
    FakeMemory(persistentKeys: [vector.input.readerIdentifier.hex: vector.input.kPersistent.hex])
  }

  /// The reader's end of the expedited channel.
  func commandChannel(answered: UInt32) throws -> ReaderCommands {
    try ReaderCommands(
      readerKey: vector.expeditedSKReader.hex, deviceKey: vector.expeditedSKDevice.hex,
      answered: answered)
  }

  /// What both sides know once AUTH0 is answered.
  func exchange() throws -> Auth0Exchange {
    Auth0Exchange(
      command: try Auth0Command(CommandAPDU(vector.auth0Command.hex).data),
      ephemeralKey: try ephemeralKey.key,
      interface: vector.transport.text == "nfc" ? .nfc : .ble)
  }

  /// The authenticated reader of the transaction, as the engine would have it.
  func reader() throws -> AuthenticatedReader<Auth0Exchange> {
    var key = VerifiedReaderKey(of: try trust())
    if !vector.loadCertCommand.isMissing {
      let certificate = try CommandAPDU(vector.loadCertCommand.hex).data
      key = try VerifiedReaderKey(
        UnverifiedReaderCertificate(compressed: certificate), issuedBy: trust(), at: someDay)
    }
    return try #require(
      AuthenticatedReader(try exchange(), signature: vector.readerSignature.hex, key: key))
  }

  /// AUTH1 for the transaction's exchange, signed by a key of the vectors, and who sends it.
  func auth1(
    by name: String = "readerGroup"
  ) throws -> (apdu: [UInt8], reader: AuthenticatedReader<Auth0Exchange>) {
    let exchange = try exchange()
    let key = try vectorKey(name)
    let signature = try key.signature(message: exchange.fields.readerTranscript.span).raw
    let trust = ReaderGroupTrust(groupIdentifier: groupIdentifier, key: key.publicKey)
    let reader = try #require(
      AuthenticatedReader(exchange, signature: signature, key: VerifiedReaderKey(of: trust)))
    return (hexOctets("80810000454101019e40") + signature, reader)
  }
}
