import WireCoding

/// The transaction in words for a person who does not know the protocol.
extension SimulatedReader {
  /// What the lock says at a stage.
  func words(for stage: Stage) -> String {
    switch stage {
    case .initiate: ""
    case .select: "The lock asks whatever is held to it for the Aliro application."
    case .auth0:
      isFast
        ? "As before, the lock names itself and sends a new key and a new number. This time it asks "
          + "for the fast form, since it has met this device."
        : "The lock says which it is, a group of locks and one of them, and sends a key made for "
          + "this meeting alone and a number nobody has used before. All this is open and proves "
          + "nothing yet."
    case .loadCertificate:
      "The lock shows its certificate: whoever is in charge of the group vouches for the lock's own "
        + "key, until a date."
    case .auth1:
      "The lock signs what both have said. This proves that it holds a key which the pass trusts, "
        + "and that it is here now: the signature covers the device's new key, so no old one will do."
    case .selectStepUp: "The lock asks for the part of the application that shows documents."
    case .envelope:
      "The lock asks to see the access document, as one does that does not know the credential. "
        + "The question is encrypted, too."
    case .report:
      "The lock accepts the credential, and reports, encrypted, that the door is "
        + "\(plan.unsecures ? "unlocked" : "locked"). Over NFC this is the end."
    case .completed:
      "Encrypted: the lock accepts the credential. The bolt has not moved; the lock waits to be "
        + "asked."
    case .status:
      "Encrypted: the bolt has moved, and the door is \(plan.unsecures ? "unlocked" : "locked")."
    }
  }

  static let initiateWords =
    "The device greets the lock with the version of the protocol it speaks, 1.0. It is the same for "
    + "every lock and gives nothing away."
  static let selectedWords =
    "The device has it, and speaks version 1.0 of the protocol. It says so to every reader."
  static let stepUpSelectedWords = "The device has it. New keys are in use from here on."
  static let auth0Words =
    "The device sends a key made for this meeting alone, as it would to any lock: a lock that it does "
    + "not know learns nothing from it. Out of both keys, both sides compute the same secret."
  static let fastWords =
    "The device sends a new key, and 64 bytes that only it can make: they open with the key that the "
    + "last meeting left with both. This proves that it is the same device, without a signature."
  static let certificateWords =
    "The device has checked the certificate against the pass. It would answer the same if it were "
    + "not good, and go no further at the next message."
  static let auth1Words =
    "The device has verified the lock first. Only now does it say whose key it holds, and it signs "
    + "what both have said; the key itself stays in the vault. The answer opens with the secret of "
    + "this meeting, and the signature verifies: the device holds the credential, and is here now."
  static let reportedWords = "The device has taken the report."

  func documentWords(_ rules: String, until end: Timestamp) -> String {
    "The device shows the document as the issuer signed it. The signature verifies, the document "
      + "names the key that has just signed, and it allows its holder, until \(end): \(rules)."
  }

  var requestWords: String {
    "Encrypted: the device asks for the door to be \(plan.unsecures ? "unlocked" : "locked")."
  }
}
