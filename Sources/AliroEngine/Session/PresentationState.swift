/// Where a presentation stands; the raw values are those of the wire.
public enum PresentationState: String, Hashable, Sendable, CaseIterable {
  /// Over NFC: the reader's SELECT is due.
  case awaitingSelect = "awaiting_select"
  /// The reader's AUTH0 is due.
  case awaitingAuth0 = "awaiting_auth0"
  /// LOAD CERT or AUTH1 is due; after the fast form of AUTH0 too, when the reader is not known.
  ///
  /// The reader cannot tell that it is not: over the air this is ``awaitingCompletion`` then.
  case awaitingAuth1 = "awaiting_auth1"
  /// The credential was presented; the reader has to accept it.
  ///
  /// After the fast form of AUTH0 the reader may still want LOAD CERT and AUTH1.
  case awaitingCompletion = "awaiting_completion"
  /// The reader has accepted the credential, and requests may be made.
  case accepted
  /// The request was sent; the reader has to report what became of it.
  case awaitingStatus = "awaiting_status"
  /// The reader has reported, or ended the session without failure; the connection can go.
  case finished
  /// The session ended without a result; the connection should go, sending nothing more than the
  /// messages of the step.
  case failed
  /// The caller closed the presentation.
  case closed
}
