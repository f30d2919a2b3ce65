public import WireCoding

/// A pass whose every field has been checked against the credential it is for.
///
/// Only ``TokenUnlockPass/validate(for:issuer:)`` makes one. It holds no secret, is cheap to keep,
/// and costs an X.509 parse a group to make again: keep it with the opened key.
public struct ValidatedPass: Hashable, Sendable {
  /// The access document.
  public let document: AccessDocument
  /// The reader groups, in the order of the pass.
  public let trust: [ReaderGroupTrust]

  init(document: AccessDocument, trust: [ReaderGroupTrust]) {
    self.document = document
    self.trust = trust
  }

  /// Judges the pass by the time.
  ///
  /// - Parameter time: the vault's time.
  /// - Returns: why the pass cannot be used then; `nil` when it can.
  public func refusal(at time: Timestamp) -> Refusal? {
    DocumentInfo.Validity(document).refusal(at: time)
  }
}
