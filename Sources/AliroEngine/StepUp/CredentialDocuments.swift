/// The documents that a credential can show in step-up (section 11).
struct CredentialDocuments: Hashable, Sendable {
  let access: AccessDocument?
  let revocation: RevocationDocument?

  init(access: AccessDocument? = nil, revocation: RevocationDocument? = nil) {
    self.access = access
    self.revocation = revocation
  }

  /// The documents of a pass.
  init(_ pass: ValidatedPass) {
    self.init(access: pass.document, revocation: pass.revocation)
  }

  /// The document of a type, if there is one.
  subscript(_ type: String) -> SignedDocument? {
    switch type {
    case AccessDocument.type: access?.document
    case RevocationDocument.type: revocation?.document
    default: nil
    }
  }
}
