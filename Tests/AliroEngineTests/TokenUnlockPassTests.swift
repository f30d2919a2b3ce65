import Foundation
import Testing
import VaultCrypto

@testable import AliroEngine

@Suite struct TokenUnlockPassTests {
  /// Certificates made with the OpenSSL command line for the vectors' reader keys.
  private static func certificate(_ name: String) throws -> [UInt8] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/reader-ca-certificates.json")
    let json = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: path))
    return hexOctets(try #require(json[name]))
  }

  private static func group(
    _ key: String = "readerGroup", _ identifier: UInt8 = 0
  ) throws -> TokenUnlockPass.ReaderGroup {
    TokenUnlockPass.ReaderGroup(
      groupIdentifier: [UInt8](repeating: identifier, count: 16),
      issuerCAPublicKey: try vectorPoint(key).uncompressed,
      issuerCACertificateDER: try certificate(key))
  }

  static func pass() throws -> TokenUnlockPass {
    TokenUnlockPass(
      accessDocument: Vector.all.accessDocument.document.hex,
      readerGroups: [try group(), try group("readerIssuerCA", 1)])
  }

  private func expectFlaw(
    _ pass: TokenUnlockPass, _ field: String, _ flaw: PassFlaw,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let credential = try vectorPoint("credential")
    let expected = AliroError.pass(field: field, flaw: flaw)
    #expect(throws: expected, sourceLocation: sourceLocation) {
      _ = try pass.validate(for: credential)
    }
  }

  @Test func `a sound pass gives document and trust`() throws {
    var pass = try Self.pass()
    pass.credentialIssuerKey = try vectorPoint("credentialIssuer").uncompressed
    let valid = try pass.validate(for: vectorPoint("credential"))
    #expect(valid.isIssuerVerified)
    #expect(valid.trust.map(\.groupIdentifier.first) == [0, 1])
    #expect(
      valid.trust.map(\.key) == [
        try vectorPoint("readerGroup"), try vectorPoint("readerIssuerCA"),
      ])
    #expect(valid.refusal(at: someDay) == nil)
    #expect(valid.refusal(at: time("2026-01-15T00:00:00Z")) == nil)
    #expect(valid.refusal(at: time("2027-01-15T00:00:00Z")) == nil)
    #expect(valid.refusal(at: time("2026-01-14T23:59:59Z"))?.code == .notYetValid)
    #expect(valid.refusal(at: time("2027-01-15T00:00:01Z"))?.code == .expired)
  }

  @Test func `a presentation takes what validation gave`() throws {
    let transaction = Transaction.direct
    var pass = try Self.pass()
    pass.readerGroups[0].groupIdentifier = transaction.groupIdentifier
    let valid = try pass.validate(for: vectorPoint("credential"))
    let signer = try SpySigner(prepared: transaction.vector.deviceSignature.hex)
    let ephemeral = try privateKey(transaction.vector.input.deviceEphemeralPrivate.hex)
    var presentation = AliroPresentation(
      configuration: try PresentationConfiguration(
        transport: .ble(readerVersions: [1, 0], version: [1, 0], intent: .unsecure),
        credential: .usable(UsableCredential(pass: valid, signer: signer)),
        keys: FixedEphemeralKey(key: ephemeral), userAuthentication: .refused))
    let moment = Moment(time: someDay, uptime: 0)
    _ = presentation.start(at: moment)
    let frames = transaction.vector.bleFrames
    _ = presentation.receive(frames.auth0Request.hex.span, at: moment, memory: FakeMemory())
    let step = presentation.receive(
      frames.auth1Request.hex.span, at: moment, memory: FakeMemory())
    #expect(step.messages == [transaction.vector.bleFrames.auth1Response.hex])
  }

  @Test func `names a flawed document`() throws {
    var pass = try Self.pass()
    pass.accessDocument = []
    try expectFlaw(pass, "access_document", .document(.empty))
    pass.accessDocument = [UInt8](repeating: 0, count: 65_537)
    try expectFlaw(pass, "access_document", .document(.tooLarge(65_537)))
    pass.accessDocument = Array("nothing of the kind".utf8)
    try expectFlaw(pass, "access_document", .document(.notCanonical(offset: 15)))
    pass.accessDocument = [0xA0]
    try expectFlaw(pass, "access_document", .document(.field("docType")))
    pass.accessDocument = try documentReplacing([("616c69726f2d61", "616c69726f2d72")])
    try expectFlaw(pass, "access_document", .documentType)
    pass.accessDocument = try documentReplacing([
      ("323032372d30312d31355430303a30303a30305a", "323032362d30312d31355430303a30303a30305a")
    ])
    try expectFlaw(pass, "access_document", .validityReversed)
    let other = try vectorPoint("wrongReader").uncompressed.map { String(format: "%02x", $0) }
    let own = Vector.all.publicKeys.credential.text
    pass.accessDocument = try documentReplacing([
      (String(own.dropFirst(2).prefix(64)), other[1...32].joined()),
      (String(own.suffix(64)), other[33...].joined()),
    ])
    try expectFlaw(pass, "access_document", .credential)
  }

  @Test func `names another issuer than the one expected`() throws {
    var pass = try Self.pass()
    pass.credentialIssuerKey = try vectorPoint("wrongReader").uncompressed
    try expectFlaw(pass, "access_document", .issuerSignature)
    pass.credentialIssuerKey = nil
    // A later end than the issuer signed: sound but for the signature.
    pass.accessDocument = try documentReplacing([
      ("323032372d30312d31355430303a30303a30305a", "323032382d30312d31355430303a30303a30305a")
    ])
    #expect(try !pass.validate(for: vectorPoint("credential")).isIssuerVerified)
    pass.credentialIssuerKey = try vectorPoint("credentialIssuer").uncompressed
    try expectFlaw(pass, "access_document", .issuerSignature)
  }

  @Test func `names a flawed reader group`() throws {
    var pass = try Self.pass()
    pass.readerGroups = []
    try expectFlaw(pass, "reader_groups", .empty)
    pass.readerGroups = [TokenUnlockPass.ReaderGroup](repeating: try Self.group(), count: 65)
    try expectFlaw(pass, "reader_groups", .tooMany(65))
    pass.readerGroups = [try Self.group(), try Self.group()]
    try expectFlaw(pass, "reader_groups[1].reader_group_id", .duplicate)

    pass = try Self.pass()
    pass.readerGroups[1].groupIdentifier.removeLast()
    try expectFlaw(pass, "reader_groups[1].reader_group_id", .wrongLength(15))

    pass = try Self.pass()
    pass.readerGroups[1].issuerCAPublicKey.append(0)
    try expectFlaw(pass, "reader_groups[1].issuer_ca_public_key", .wrongLength(66))
    pass.readerGroups[1].issuerCAPublicKey.removeLast()
    pass.readerGroups[1].issuerCAPublicKey[64] ^= 1
    try expectFlaw(pass, "reader_groups[1].issuer_ca_public_key", .notAPoint)
    pass.readerGroups[1].issuerCAPublicKey = try vectorPoint("wrongReader").uncompressed
    try expectFlaw(pass, "reader_groups[1].issuer_ca_certificate_der", .certificateKey)
  }

  @Test(arguments: ["rsa", "p384", "truncated", "trailing", "empty"])
  func `names a certificate that will not do`(kind: String) throws {
    var pass = try Self.pass()
    let sound = pass.readerGroups[0].issuerCACertificateDER
    pass.readerGroups[0].issuerCACertificateDER =
      switch kind {
      case "truncated": sound.dropLast()
      case "trailing": sound + [0]
      case "empty": []
      default: try Self.certificate(kind)
      }
    try expectFlaw(pass, "reader_groups[0].issuer_ca_certificate_der", .certificate)
  }

  @Test func `a presentation refuses a pass for another key`() throws {
    struct Other: CredentialSigner {
      let publicKey: P256PublicKey

      func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
        throw .refused(Refusal(.keyUnusable, "Never asked."))
      }
    }
    let valid = try Self.pass().validate(for: vectorPoint("credential"))
    let signer = Other(publicKey: try vectorPoint("wrongReader"))
    #expect(throws: AliroError.pass(field: "access_document", flaw: .credential)) {
      _ = try UsableCredential(pass: valid, signer: signer)
    }
  }

  /// A pass that uses everything there is.
  static func fullPass() throws -> TokenUnlockPass {
    var pass = try pass()
    pass.revocationDocument = Vector.documents.revocation.hex
    pass.credentialIssuerKey = try vectorPoint("credentialIssuer").uncompressed
    pass.mailbox = MailboxSettings(
      size: 4096, isReadable: true, isWritable: false, isUsableInStepUp: true)
    return pass
  }

  @Test func `a pass may bring a revocation document, an issuer's key and a mailbox`() throws {
    let pass = try Self.fullPass()
    let valid = try pass.validate(for: vectorPoint("credential"))
    #expect(valid.revocation?.entryCount == 2)
    #expect(valid.isIssuerVerified)
    #expect(valid.mailbox == pass.mailbox)
    let plain = try Self.pass().validate(for: vectorPoint("credential"))
    #expect(plain.revocation == nil && plain.mailbox == nil && !plain.isIssuerVerified)
  }

  @Test func `names a flawed revocation document`() throws {
    let field = "revocation_document"
    var pass = try Self.fullPass()
    pass.revocationDocument = []
    try expectFlaw(pass, field, .document(.empty))
    pass.revocationDocument = Vector.documents.revocationWithKey.hex
    try expectFlaw(pass, field, .document(.field("mso.deviceKey")))
    pass.revocationDocument = Vector.documents.revocationReversed.hex
    try expectFlaw(pass, field, .validityReversed)
    // The last octet of its signature, before the ten of the type.
    var changed = Vector.documents.revocation.hex
    changed[changed.count - 11] ^= 1
    pass.revocationDocument = changed
    try expectFlaw(pass, field, .issuerSignature)
    pass.credentialIssuerKey = nil
    _ = try pass.validate(for: vectorPoint("credential"))
    // An access document in its place has a key; a revocation document in the other's has none.
    pass.revocationDocument = pass.accessDocument
    try expectFlaw(pass, field, .document(.field("mso.deviceKey")))
    pass.accessDocument = Vector.documents.revocation.hex
    try expectFlaw(pass, "access_document", .document(.field("mso.deviceKey")))
  }

  @Test func `a document of a third type is neither`() throws {
    var pass = try Self.fullPass()
    // Type and namespace alike; the vectors' digests cover the items alone.
    pass.credentialIssuerKey = nil
    pass.revocationDocument = hexOctets(
      Vector.documents.revocation.text.replacing("616c69726f2d72", with: "616c69726f2d73"))
    try expectFlaw(pass, "revocation_document", .documentType)
  }

  @Test func `names a flawed issuer's key and mailbox`() throws {
    let field = "credential_issuer_public_key"
    var pass = try Self.fullPass()
    pass.credentialIssuerKey = []
    try expectFlaw(pass, field, .wrongLength(0))
    pass.credentialIssuerKey = try vectorPoint("credentialIssuer").uncompressed + [0]
    try expectFlaw(pass, field, .wrongLength(66))
    pass.credentialIssuerKey = [UInt8](repeating: 0, count: 65)
    try expectFlaw(pass, field, .notAPoint)
    pass.credentialIssuerKey = try vectorPoint("wrongReader").uncompressed
    try expectFlaw(pass, "access_document", .issuerSignature)
    for size in [Int.min, -1, 0, 4097, Int.max] {
      pass = try Self.fullPass()
      pass.mailbox?.size = size
      try expectFlaw(pass, "mailbox.size", .mailboxSize(size))
      // Never validated, and still not trapped on.
      _ = pass.encoded
    }
    for size in [1, 4096] {
      pass.mailbox?.size = size
      _ = try pass.validate(for: vectorPoint("credential"))
    }
  }
}
