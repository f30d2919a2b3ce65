/// Where a session stands, with exactly what is valid there.
///
/// Leaving a phase drops its keys.
enum Phase: ~Copyable {
  /// Made, and not started.
  case ready
  /// Over NFC: the reader has to select the application.
  case awaitingSelect
  /// The session was opened; over BLE, AUTH0 is due until a deadline, in milliseconds of uptime.
  case awaitingAuth0(deadline: Int64?)
  /// AUTH0's standard form was answered.
  case awaitingAuth1(AwaitingAuth1)
  /// There are channels: AUTH1 was answered, or AUTH0's fast form, under a persistent key or a decoy.
  case presented(AcceptedSession, Stage)
  /// The transaction is over but for the rest of its last answer.
  case delivering
  case finished
  case failed
  case closed

  /// The phase for the caller.
  var state: PresentationState {
    switch self {
    // Before its start a session stands where a BLE one begins; nobody is told before.
    case .ready: .awaitingAuth0
    case .awaitingSelect: .awaitingSelect
    case .awaitingAuth0: .awaitingAuth0
    case .awaitingAuth1: .awaitingAuth1
    // To the reader a decoy is what any session is after AUTH0's fast form.
    case .presented(let session, let stage): session.isDecoy ? .awaitingAuth1 : stage.state
    case .delivering: .awaitingCompletion
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
    case .awaitingSelect: true
    case .awaitingAuth0: true
    case .awaitingAuth1: true
    case .presented: true
    case .delivering: true
    case .finished: false
    case .failed: false
    case .closed: false
    }
  }

  /// Until when AUTH0 has to come, where that is limited.
  var deadline: Int64? {
    switch self {
    case .awaitingAuth0(let deadline): deadline
    default: nil
    }
  }

  /// Whether the reader has an atomic session of the mailbox under way.
  var isInAtomicSession: Bool {
    switch self {
    case .presented(let session, _): session.isInAtomicSession
    default: false
    }
  }

  /// Whether a command that comes in parts may begin now.
  func expects(_ instruction: CommandAPDU.Instruction) -> Bool {
    switch self {
    case .awaitingAuth0:
      return instruction == .auth0
    case .awaitingAuth1(let session):
      return session.expects(instruction)
    case .presented(let session, let stage):
      return instruction == .exchange && stage.allowsExchange
        || instruction == .envelope && session.hasStepUp
        || stage.completion?.expects(instruction) == true
    default:
      return false
    }
  }

  /// The phase after an answer of which, perhaps, the reader has not fetched everything yet.
  consuming func delivering(isComplete: Bool) -> Phase {
    switch consume self {
    case .finished: isComplete ? .finished : .delivering
    case .delivering: isComplete ? .finished : .delivering
    case let phase: phase
    }
  }
}
