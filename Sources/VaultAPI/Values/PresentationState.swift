/// Where a presentation session stands.
public enum PresentationState: String, CaseIterable, Hashable, Sendable {
  /// The reader is to select the application; over NFC only.
  case awaitingSelect = "awaiting_select"
  /// AUTH0 comes next.
  case awaitingAuth0 = "awaiting_auth0"
  /// AUTH1 comes next.
  case awaitingAuth1 = "awaiting_auth1"
  /// The reader is to close the access protocol.
  case awaitingCompletion = "awaiting_completion"
  /// The reader has accepted the credential and may be asked for something.
  case accepted
  /// The reader is to say what the lock did.
  case awaitingStatus = "awaiting_status"
  /// The reader has said what the lock did.
  case finished
  /// The session ended before its purpose.
  case failed
  /// The caller closed the session.
  case closed

  /// Whether no message is heard any more.
  public var isOver: Bool {
    switch self {
    case .finished, .failed, .closed: true
    default: false
    }
  }
}
