/// Where a presentation session stands.
public enum PresentationState: String, CaseIterable, Hashable, Sendable {
  /// AUTH0 comes next.
  case awaitingAuth0 = "awaiting_auth0"
  /// AUTH1 comes next.
  case awaitingAuth1 = "awaiting_auth1"
  /// The reader is to close the access protocol.
  case awaitingCompletion = "awaiting_completion"
  /// The reader is to say what the lock did.
  case awaitingStatus = "awaiting_status"
  /// The reader has said what the lock did.
  case finished
  /// The session ended before its purpose.
  case failed
  /// The caller closed the session.
  case closed
}
