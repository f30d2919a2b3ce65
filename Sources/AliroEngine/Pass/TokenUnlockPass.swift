public import VaultCrypto

/// A pass as it is received and stored: an access document and the readers to trust with it.
///
/// Nothing in it has been checked; ``validate(for:issuer:)`` does that.
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

  /// Makes a pass of unchecked fields.
  ///
  /// - Parameters:
  ///   - accessDocument: `access_document`.
  ///   - readerGroups: `reader_groups`.
  public init(accessDocument: [UInt8], readerGroups: [ReaderGroup]) {
    self.accessDocument = accessDocument
    self.readerGroups = readerGroups
  }

  /// Checks every field; one that is wrong refuses the whole pass.
  ///
  /// Whether the pass is valid *now* is not asked here: a pass may be stored before it begins.
  ///
  /// - Parameters:
  ///   - credential: the namespace's key, which the document must name.
  ///   - issuer: the credential issuer's key, when the vault knows it; the document must then be
  ///     signed by it.
  /// - Returns: the checked pass.
  /// - Throws: ``AliroError/pass(field:flaw:)`` with the first field that is wrong.
  public func validate(
    for credential: P256PublicKey, issuer: P256PublicKey? = nil
  ) throws(AliroError) -> ValidatedPass {
    let document = try checkedDocument(credential, issuer)
    guard !readerGroups.isEmpty else { throw .pass(field: "reader_groups", flaw: .empty) }
    guard readerGroups.count <= Self.groupLimit else {
      throw .pass(field: "reader_groups", flaw: .tooMany(readerGroups.count))
    }
    var trust: [ReaderGroupTrust] = []
    var identifiers: Set<[UInt8]> = []
    for (index, group) in readerGroups.enumerated() {
      let checked = try group.checked(at: index)
      guard identifiers.insert(checked.groupIdentifier).inserted else {
        throw .pass(field: "reader_groups[\(index)].reader_group_id", flaw: .duplicate)
      }
      trust.append(checked)
    }
    return ValidatedPass(document: document, trust: trust)
  }

  private func checkedDocument(
    _ credential: P256PublicKey, _ issuer: P256PublicKey?
  ) throws(AliroError) -> AccessDocument {
    let field = "access_document"
    let document: AccessDocument
    do {
      document = try AccessDocument(accessDocument)
    } catch {
      throw .pass(field: field, flaw: .document(error))
    }
    guard document.documentType == AccessDocument.accessType else {
      throw .pass(field: field, flaw: .documentType)
    }
    guard document.deviceKey == credential else { throw .pass(field: field, flaw: .credential) }
    guard document.validFrom < document.validUntil else {
      throw .pass(field: field, flaw: .validityReversed)
    }
    if let issuer, !document.isSigned(by: issuer) {
      throw .pass(field: field, flaw: .issuerSignature)
    }
    return document
  }
}

extension TokenUnlockPass.ReaderGroup {
  fileprivate func checked(at index: Int) throws(AliroError) -> ReaderGroupTrust {
    let prefix = "reader_groups[\(index)]."
    guard groupIdentifier.count == 16 else {
      throw .pass(field: prefix + "reader_group_id", flaw: .wrongLength(groupIdentifier.count))
    }
    let keyField = prefix + "issuer_ca_public_key"
    guard issuerCAPublicKey.count == 65 else {
      throw .pass(field: keyField, flaw: .wrongLength(issuerCAPublicKey.count))
    }
    guard let key = try? P256PublicKey(uncompressed: issuerCAPublicKey.span) else {
      throw .pass(field: keyField, flaw: .notAPoint)
    }
    let certificateField = prefix + "issuer_ca_certificate_der"
    guard let certificate = try? X509Certificate(der: issuerCACertificateDER.span) else {
      throw .pass(field: certificateField, flaw: .certificate)
    }
    guard certificate.publicKey == key else {
      throw .pass(field: certificateField, flaw: .certificateKey)
    }
    return ReaderGroupTrust(groupIdentifier: groupIdentifier, key: key)
  }
}
