/// A pass as it is received and stored: an access document and the readers to trust with it.
///
/// Nothing in it has been checked; ``validate(for:)`` does that.
public struct TokenUnlockPass: Hashable, Sendable {
  /// The readers of one group, as received.
  public struct ReaderGroup: Hashable, Sendable {
    /// `reader_group_id`, to be 16 octets.
    public var groupIdentifier: [UInt8]
    /// `issuer_ca_public_key`, to be an uncompressed point, 65 octets.
    public var issuerCAPublicKey: [UInt8]
    /// `issuer_ca_certificate_der`, to be an X.509 certificate of that key.
    public var issuerCACertificateDER: [UInt8]

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - groupIdentifier: `reader_group_id`.
    ///   - issuerCAPublicKey: `issuer_ca_public_key`.
    ///   - issuerCACertificateDER: `issuer_ca_certificate_der`.
    public init(
      groupIdentifier: [UInt8], issuerCAPublicKey: [UInt8], issuerCACertificateDER: [UInt8]
    ) {
      self.groupIdentifier = groupIdentifier
      self.issuerCAPublicKey = issuerCAPublicKey
      self.issuerCACertificateDER = issuerCACertificateDER
    }
  }

  /// The most reader groups of one pass.
  public static let groupLimit = 64

  /// `access_document`, to be a signed document of at most 64 KiB (section 13).
  public var accessDocument: [UInt8]
  /// `reader_groups`, at least one.
  public var readerGroups: [ReaderGroup]
  /// `revocation_document`, to be a signed document of at most 64 KiB (section 13).
  public var revocationDocument: [UInt8]?
  /// `credential_issuer_public_key`, to be an uncompressed point, 65 octets; the documents must then
  /// be signed with it.
  public var credentialIssuerKey: [UInt8]?
  /// `mailbox`.
  public var mailbox: MailboxSettings?

  /// Makes a pass of unchecked fields.
  ///
  /// - Parameters:
  ///   - accessDocument: `access_document`.
  ///   - readerGroups: `reader_groups`.
  ///   - revocationDocument: `revocation_document`.
  ///   - credentialIssuerKey: `credential_issuer_public_key`.
  ///   - mailbox: `mailbox`.
  public init(
    accessDocument: [UInt8], readerGroups: [ReaderGroup], revocationDocument: [UInt8]? = nil,
    credentialIssuerKey: [UInt8]? = nil, mailbox: MailboxSettings? = nil
  ) {
    self.accessDocument = accessDocument
    self.readerGroups = readerGroups
    self.revocationDocument = revocationDocument
    self.credentialIssuerKey = credentialIssuerKey
    self.mailbox = mailbox
  }
}
