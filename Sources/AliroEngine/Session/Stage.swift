/// How far a session with channels has come.
enum Stage {
  /// The reader has to accept the credential.
  ///
  /// After AUTH0's fast form it may want AUTH1 first; what that takes is kept until the reader makes
  /// use of the fast keys.
  case awaitingCompletion(AwaitingAuth1? = nil)
  /// The reader has accepted the credential, and was asked for nothing.
  case accepted
  /// The reader was asked for something, and has to report.
  case awaitingStatus(LockAction)

  /// The stage for the caller.
  var state: PresentationState {
    switch self {
    case .awaitingCompletion: .awaitingCompletion
    case .accepted: .accepted
    case .awaitingStatus: .awaitingStatus
    }
  }

  /// What AUTH1 takes, where it may still come.
  var completion: AwaitingAuth1? {
    if case .awaitingCompletion(let completion) = self { completion } else { nil }
  }

  /// Whether EXCHANGE may come: after a certificate nothing but AUTH1 makes sense.
  var allowsExchange: Bool { completion?.acceptsCertificate != false }

  /// The stage once the reader has made use of the channels.
  var withoutCompletion: Stage {
    if case .awaitingCompletion = self { .awaitingCompletion() } else { self }
  }
}
