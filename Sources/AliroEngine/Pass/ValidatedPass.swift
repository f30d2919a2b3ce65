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

  /// Tells why the pass could never open a door from a time on.
  ///
  /// Rules are the reader's to enforce; this judges only what is certain from the document alone.
  ///
  /// - Parameter time: the vault's time.
  /// - Returns: ``PassFlaw/expired``, ``PassFlaw/allowsNothing`` or ``PassFlaw/schedulesOver``; `nil`
  ///   when a door may open by it.
  public func hopelessness(at time: Timestamp) -> PassFlaw? {
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
