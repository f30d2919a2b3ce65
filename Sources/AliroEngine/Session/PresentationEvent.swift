/// Something that happened in a presentation, in words for a person or a log.
public struct PresentationEvent: Hashable, Sendable {
  /// The kinds of events; the raw values are those of the wire.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The reader has proven that it belongs to a trusted group, by its signature or, after the
    /// fast form of AUTH0, by its first message under the keys that only it has.
    case readerAuthenticated = "reader_authenticated"
    /// The credential's signature is in the answer of this step, or the cryptogram that stands for
    /// it in the fast form of AUTH0.
    case credentialPresented = "credential_presented"
    /// The reader has accepted the credential; the bolt has not moved yet.
    case accessProtocolCompleted = "access_protocol_completed"
    /// The reader reports the state that was asked for, or over NFC that it is content.
    case accessGranted = "access_granted"
    /// The reader reports the opposite state, or ended the session with failure; the detail is its
    /// reason.
    case accessDenied = "access_denied"
    /// The reader tells something that settles nothing, such as `jammed`.
    case status
    /// The reader is busy; timers start again.
    case busy
    /// The reader reports an error.
    case error
    /// The session has ended without a result, and its keys are gone.
    case failed
  }

  /// What happened.
  public let kind: Kind
  /// More about it in plain words, such as `unsecured`.
  public let detail: String?

  init(_ kind: Kind, _ detail: String? = nil) {
    self.kind = kind
    self.detail = detail
  }
}
