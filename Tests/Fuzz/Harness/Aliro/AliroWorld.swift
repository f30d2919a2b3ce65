import AliroEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// What the Aliro targets share: the throw-away keys of the vectors, and passes for them.
enum AliroWorld {
  /// A group of readers, and the keys that speak for it.
  struct Group: Sendable {
    let identifier: [UInt8]
    /// The provisioned key.
    let key: P256PrivateKey

    /// Whether the key has certified those of readers, in ``certificates``.
    var certifiesReaders: Bool { identifier == AliroWorld.certified.identifier }
  }

  /// A reader's certificate that is good at ``moment``, and for years.
  struct Certificate: Sendable {
    let octets: [UInt8]
    let key: P256PublicKey
  }

  /// A moment at which the vectors hold.
  static let moment = Moment(time: Timestamp(clamping: 1_772_366_400), uptime: 0)

  static let direct = Group(
    identifier: Array(Vectors.aliro.octets("transactions.0.input.readerIdentifier").prefix(16)),
    key: Vectors.aliro.key("readerGroup"))

  static let certified = Group(
    identifier: Array(Vectors.aliro.octets("transactions.2.input.readerIdentifier").prefix(16)),
    key: Vectors.aliro.key("readerIssuerCA"))

  /// The key that ``certified``'s has certified, and its certificates: all there are.
  static let readerKey = Vectors.aliro.key("readerCertified")
  static let certificates = (0..<3).map {
    Certificate(
      octets: Vectors.aliro.octets("certificates.\($0).compressed"), key: readerKey.publicKey)
  }

  /// The mailboxes of ``passes``.
  static let mailboxes: [MailboxSettings?] = [
    nil,
    MailboxSettings(size: 300, isReadable: true, isWritable: true, isUsableInStepUp: true),
    MailboxSettings(size: 40, isReadable: true, isWritable: false, isUsableInStepUp: false),
    MailboxSettings(size: 4096, isReadable: false, isWritable: true, isUsableInStepUp: false),
  ]

  /// Passes of the vectors' credential for both groups: a plain one, and one with two documents for
  /// each mailbox.
  static let passes: [ValidatedPass] = mailboxes.map { mailbox in
    var pass = plainPass
    if mailbox != nil {
      pass.accessDocument = Vectors.documents.octets("access")
      pass.revocationDocument = Vectors.documents.octets("revocation")
      pass.credentialIssuerKey = Vectors.aliro.point("credentialIssuer")
      pass.mailbox = mailbox
    }
    do { return try pass.validate(for: CountingSigner.key.publicKey) } catch {
      fatalError("the vectors make no pass: \(error)")
    }
  }

  private static var plainPass: TokenUnlockPass {
    TokenUnlockPass(
      accessDocument: Vectors.aliro.octets("accessDocument.document"),
      readerGroups: [(direct, "readerGroup"), (certified, "readerIssuerCA")].map { group, name in
        TokenUnlockPass.ReaderGroup(
          groupIdentifier: group.identifier, issuerCAPublicKey: group.key.publicKey.uncompressed,
          issuerCACertificateDER: Vectors.certificates.octets(name))
      })
  }

  /// A credential with one of the passes.
  static func credential(_ signer: CountingSigner, pass: Int = 0) -> PresentedCredential {
    do {
      return .usable(try UsableCredential(pass: passes[pass], signer: signer))
    } catch {
      fatalError("the pass is of another key: \(error)")
    }
  }
}
