/// How the reader's group stands with the vault.
enum GroupStanding {
  /// The group is in the pass.
  case trusted(ReaderGroupTrust, UsableCredential)
  /// It is not, or there is no usable pass. Nothing of this shows before AUTH1's verdict (section 4).
  case unknown(Refusal)

  init(of groupIdentifier: [UInt8], for credential: PresentedCredential) {
    switch credential {
    case .usable(let usable):
      if let trust = usable.trust(in: groupIdentifier) {
        self = .trusted(trust, usable)
      } else {
        self = .unknown(
          Refusal(.readerUntrusted, "The reader belongs to no group of the pass."))
      }
    case .refused(let refusal):
      self = .unknown(refusal)
    }
  }
}
