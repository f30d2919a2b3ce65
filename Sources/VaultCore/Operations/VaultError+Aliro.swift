import AliroEngine

extension VaultError {
  /// What a refused pass means to the caller: the field, and what is wrong with it.
  init(pass error: AliroError) {
    guard case .pass(let field, let flaw) = error else {
      self.init(.invalidParameters, "the pass is refused", field: "pass")
      return
    }
    self.init(
      flaw == .expired ? .expired : .invalidParameters, "the pass is refused: \(flaw.words)",
      field: "pass.\(field)")
  }

  /// What the engine's refusal of a call means to the caller.
  ///
  /// - Parameters:
  ///   - error: what the engine said.
  ///   - words: what is wrong with a parameter, by the name it has on the wire.
  init(_ error: AliroError, parameter words: (String) -> String) {
    switch error {
    case .parameter(let field): self.init(.invalidParameters, words(field), field: field)
    case .refused(let refusal):
      let code = Code(rawValue: refusal.code.rawValue) ?? .internal
      self.init(code, refusal.message, retry: code == .busy)
    case .pass, .storedPass: self.init(.internal, "the engine refused its own input")
    }
  }
}

extension PassFlaw {
  /// The flaw in plain words.
  fileprivate var words: String {
    switch self {
    case .empty: "it is empty"
    case .tooMany(let count): "\(count) entries are more than \(TokenUnlockPass.groupLimit)"
    case .wrongLength(let count): "\(count) octets is not the length it must have"
    case .duplicate: "an earlier group has the same identifier"
    case .notAPoint: "it is not an uncompressed point of P-256"
    case .certificate: "it is not one X.509 certificate with a P-256 key"
    case .certificateKey: "the certificate is for another key than the one sent beside it"
    case .document: "it is not a signed document"
    case .documentType: "it is a document of another type"
    case .credential: "it names another credential's key"
    case .validityReversed: "its validity ends before it begins"
    case .issuerSignature: "it is not signed by the issuer"
    case .mailboxSize(let size): "\(size) is not a size that a mailbox can have"
    case .expired: "it has expired"
    case .allowsNothing: "nothing in it could ever open a door"
    case .schedulesOver: "every schedule in which it would open a door is over"
    case .revocationData: "it holds something that is not revocation data"
    case .revokesNothing: "no reader's list could ever change by it"
    case .entriesOver: "every entry in it is over"
    }
  }
}
