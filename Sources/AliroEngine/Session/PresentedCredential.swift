/// What a presentation has to show: a credential with its pass, or a reason why there is none.
public enum PresentedCredential: Sendable {
  /// A key with a pass that fits it.
  case usable(UsableCredential)
  /// No usable key or pass. The session then runs as it would with a reader of an unknown group, so
  /// that nothing is learned over the air, and reports the reason at AUTH1.
  case refused(Refusal)
}

/// A credential key together with the pass that was validated for it.
public struct UsableCredential: Sendable {
  let signer: any CredentialSigner
  let trust: [ReaderGroupTrust]
  let documents: DocumentInfo
  /// What step-up can show.
  let shownDocuments: CredentialDocuments
  let mailbox: MailboxSettings?

  /// Joins a key and its pass.
  ///
  /// - Parameters:
  ///   - pass: the validated pass.
  ///   - signer: the key.
  /// - Throws: ``AliroError/pass(field:flaw:)`` when the pass was validated for another key.
  public init(pass: ValidatedPass, signer: any CredentialSigner) throws(AliroError) {
    guard pass.document.deviceKey == signer.publicKey else {
      throw .pass(field: "access_document", flaw: .credential)
    }
    self.init(
      signer: signer, trust: pass.trust,
      documents: DocumentInfo(
        access: DocumentInfo.Validity(pass.document), revocationSigned: pass.revocation?.signed),
      shownDocuments: CredentialDocuments(pass), mailbox: pass.mailbox)
  }

  init(
    signer: any CredentialSigner, trust: [ReaderGroupTrust], documents: DocumentInfo,
    shownDocuments: CredentialDocuments = CredentialDocuments(), mailbox: MailboxSettings? = nil
  ) {
    self.signer = signer
    self.trust = trust
    self.documents = documents
    self.shownDocuments = shownDocuments
    self.mailbox = mailbox
  }

  /// The trust for a reader's group.
  func trust(in groupIdentifier: [UInt8]) -> ReaderGroupTrust? {
    trust.first { $0.groupIdentifier == groupIdentifier }
  }
}
