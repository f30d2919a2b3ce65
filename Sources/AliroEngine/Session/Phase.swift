/// Where a session stands, with exactly what is valid there.
///
/// Leaving a phase drops its keys.
enum Phase: ~Copyable {
  /// Made, and not started.
  case ready
  /// The initiate message was sent.
  case awaitingAuth0
  /// AUTH0 was answered.
  case awaitingAuth1(AwaitingAuth1)
  /// AUTH1 was answered; the reader has to accept the credential.
  case awaitingCompletion(AcceptedSession)
  /// The request was sent; the reader has to report.
  case awaitingStatus(AcceptedSession)
  case finished
  case failed
  case closed

  /// The phase for the caller.
  var state: PresentationState {
    switch self {
    case .ready: .awaitingAuth0
    case .awaitingAuth0: .awaitingAuth0
    case .awaitingAuth1: .awaitingAuth1
    case .awaitingCompletion: .awaitingCompletion
    case .awaitingStatus: .awaitingStatus
    case .finished: .finished
    case .failed: .failed
    case .closed: .closed
    }
  }

  /// Whether nothing was sent yet.
  var isReady: Bool {
    switch self {
    case .ready: true
    default: false
    }
  }

  /// Whether messages of the reader are heard.
  var isListening: Bool {
    switch self {
    case .ready: false
    case .awaitingAuth0: true
    case .awaitingAuth1: true
    case .awaitingCompletion: true
    case .awaitingStatus: true
    case .finished: false
    case .failed: false
    case .closed: false
    }
  }

  /// Whether a command that comes in parts may begin now.
  func expects(_ instruction: CommandAPDU.Instruction) -> Bool {
    switch self {
    case .awaitingAuth0:
      return instruction == .auth0
    case .awaitingAuth1(let session):
      return instruction == .auth1
        || instruction == .loadCertificate && session.acceptsCertificate
    default:
      return false
    }
  }
}
