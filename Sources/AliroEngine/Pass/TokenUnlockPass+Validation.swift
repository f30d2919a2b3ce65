public import VaultCrypto

extension TokenUnlockPass {
  /// Checks every field; one that is wrong refuses the whole pass.
  ///
  /// Whether the pass is valid *now* is not asked here: a pass may be stored before it begins.
  /// ``ValidatedPass/hopelessness(at:)`` tells one that is of no use any more.
  ///
  /// - Parameter credential: the namespace's key, which the access document must name.
  /// - Returns: the checked pass.
  /// - Throws: ``AliroError/pass(field:flaw:)`` with the first field that is wrong.
  public func validate(for credential: P256PublicKey) throws(AliroError) -> ValidatedPass {
    let issuer = try checkedIssuer()
    let document = try checkedDocument(credential, issuer)
    let revocation = try checkedRevocation(issuer)
    if let mailbox, !MailboxSettings.sizes.contains(mailbox.size) {
      throw .pass(field: "mailbox.size", flaw: .mailboxSize(mailbox.size))
    }
    return ValidatedPass(
      document: document, trust: try checkedTrust(), revocation: revocation,
      isIssuerVerified: issuer != nil, mailbox: mailbox)
  }

  private func checkedIssuer() throws(AliroError) -> P256PublicKey? {
    guard let credentialIssuerKey else { return nil }
    return try P256PublicKey(credentialIssuerKey, field: "credential_issuer_public_key")
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
    try document.document.check(field, AccessDocument.type, issuer)
    guard document.deviceKey == credential else { throw .pass(field: field, flaw: .credential) }
    return document
  }

  private func checkedRevocation(
    _ issuer: P256PublicKey?
  ) throws(AliroError) -> RevocationDocument? {
    guard let revocationDocument else { return nil }
    let field = "revocation_document"
    let document: RevocationDocument
    do {
      document = try RevocationDocument(revocationDocument)
    } catch {
      throw .pass(field: field, flaw: .document(error))
    }
    try document.document.check(field, RevocationDocument.type, issuer)
    return document
  }

  private func checkedTrust() throws(AliroError) -> [ReaderGroupTrust] {
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
    return trust
  }
}

extension SignedDocument {
  /// What access and revocation documents of a pass have in common.
  fileprivate func check(
    _ field: String, _ type: String, _ issuer: P256PublicKey?
  ) throws(AliroError) {
    guard self.type == type else { throw .pass(field: field, flaw: .documentType) }
    guard object.validFrom < object.validUntil else {
      throw .pass(field: field, flaw: .validityReversed)
    }
    if let issuer, !envelope.isSigned(by: issuer) {
      throw .pass(field: field, flaw: .issuerSignature)
    }
  }
}

extension TokenUnlockPass.ReaderGroup {
  fileprivate func checked(at index: Int) throws(AliroError) -> ReaderGroupTrust {
    let prefix = "reader_groups[\(index)]."
    guard groupIdentifier.count == 16 else {
      throw .pass(field: prefix + "reader_group_id", flaw: .wrongLength(groupIdentifier.count))
    }
    let key = try P256PublicKey(issuerCAPublicKey, field: prefix + "issuer_ca_public_key")
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

extension P256PublicKey {
  /// Reads a point that is a field of a pass.
  fileprivate init(_ octets: [UInt8], field: String) throws(AliroError) {
    guard octets.count == 65 else { throw .pass(field: field, flaw: .wrongLength(octets.count)) }
    do {
      try self.init(uncompressed: octets.span)
    } catch {
      throw .pass(field: field, flaw: .notAPoint)
    }
  }
}
