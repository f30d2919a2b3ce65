public import WireCoding

/// A pass whose every field has been checked against the credential it is for.
///
/// Only ``TokenUnlockPass/validate(for:)`` makes one. It holds no secret, is cheap to keep,
/// and costs an X.509 parse a group to make again: keep it with the opened key.
public struct ValidatedPass: Hashable, Sendable {
  /// The access document.
  public let document: AccessDocument
  /// The reader groups, in the order of the pass.
  public let trust: [ReaderGroupTrust]

  /// The revocation document to carry to readers, if any.
  public let revocation: RevocationDocument?
  /// Whether the documents' signatures were verified with a key that came with the pass.
  public let isIssuerVerified: Bool
  /// The mailbox of the credential, if it has one.
  public let mailbox: MailboxSettings?

  init(
    document: AccessDocument, trust: [ReaderGroupTrust], revocation: RevocationDocument? = nil,
    isIssuerVerified: Bool = false, mailbox: MailboxSettings? = nil
  ) {
    self.document = document
    self.trust = trust
    self.revocation = revocation
    self.isIssuerVerified = isIssuerVerified
    self.mailbox = mailbox
  }

  /// Judges the pass by the time.
  ///
  /// - Parameter time: the vault's time.
  /// - Returns: why the pass cannot be used then; `nil` when it can.
  public func refusal(at time: Timestamp) -> Refusal? {
    DocumentInfo.Validity(document).refusal(at: time)
  }

  /// Tells which of the documents could never be of use from a time on: the access document open a
  /// door, the revocation document change a reader's list.
  ///
  /// Rules are the reader's to enforce; this judges only what is certain from a document alone. It is
  /// asked when a pass is stored, never of a stored one, which is kept when a document's time is over.
  ///
  /// - Parameter time: the vault's time.
  /// - Returns: ``AliroError/pass(field:flaw:)`` with the document's field; `nil` when all may be of use.
  public func hopelessness(at time: Timestamp) -> AliroError? {
    if let flaw = accessHopelessness(at: time) {
      return .pass(field: "access_document", flaw: flaw)
    }
    return revocation?.hopelessness(at: time).map { .pass(field: "revocation_document", flaw: $0) }
  }

  private func accessHopelessness(at time: Timestamp) -> PassFlaw? {
    guard time <= document.validUntil else { return .expired }
    guard mayOpen() else { return .allowsNothing }
    let start = max(time, document.validFrom)
    return mayOpen(from: start, until: document.validUntil) ? nil : .schedulesOver
  }

  /// Whether a door may open between two times: also when the document says nothing of doors, or
  /// nothing that the vault understands.
  private func mayOpen(from start: Timestamp = .earliest, until end: Timestamp = .latest) -> Bool {
    document.elements.isEmpty
      || document.elements.contains { $0.data?.couldOpen(from: start, until: end) ?? true }
  }
}
