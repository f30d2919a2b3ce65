import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// One of the vectors' transactions over BLE that take the standard path.
struct Transaction: Sendable, CustomTestStringConvertible {
  let vector: Vector

  static let direct = Transaction(vector: Vector.all.transactions[0])
  static let certified = Transaction(vector: Vector.all.transactions[2])
  static let extended = Transaction(vector: Vector.all.transactions[4])
  static let all = [direct, certified, extended]

  var testDescription: String { vector.name.text }

  /// What the vectors say of the credential's documents at each of them.
  var documents: DocumentInfo {
    let signed = time("2026-01-15T08:30:00Z")
    let access = DocumentInfo.Validity(
      signed: signed, validFrom: signed, validUntil: time("2027-01-15T00:00:00Z"))
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

  func session(
    signer: SpySigner? = nil, versions: [UInt8] = [1, 0], intent: PresentationIntent = .unsecure,
    trust: [ReaderGroupTrust]? = nil, documents: DocumentInfo? = nil, refusal: Refusal? = nil,
    keys: (any SessionKeySource)? = nil
  ) throws -> Session {
    let own = FixedEphemeralKey(key: try privateKey(vector.input.deviceEphemeralPrivate.hex))
    return try Session(
      signer: try signer ?? SpySigner(prepared: vector.deviceSignature.hex),
      trust: try trust ?? [self.trust()], documents: documents ?? self.documents,
      keys: keys ?? own, versions: versions, intent: intent,
      refusal: refusal)
  }

  /// A session after AUTH0, and LOAD CERT where the transaction has one.
  func beforeAuth1(_ session: Session) {
    _ = session.start()
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

  /// The authenticated reader of the transaction, as the engine would have it.
  func reader() throws -> AuthenticatedReader<Auth0Exchange> {
    let apdu = try CommandAPDU(vector.auth0Command.hex)
    let exchange = Auth0Exchange(
      command: try Auth0Command(apdu.data),
      ephemeralKey: try privateKey(vector.input.deviceEphemeralPrivate.hex))
    var key = VerifiedReaderKey(of: try trust())
    if !vector.loadCertCommand.isMissing {
      let certificate = try CommandAPDU(vector.loadCertCommand.hex).data
      key = try VerifiedReaderKey(
        UnverifiedReaderCertificate(compressed: certificate), issuedBy: trust(), at: someDay)
    }
    return try #require(
      AuthenticatedReader(exchange, signature: vector.readerSignature.hex, key: key))
  }
}
