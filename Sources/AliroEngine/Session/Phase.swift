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
  case awaitingCompletion(BLEChannel)
  /// The request was sent; the reader has to report.
  case awaitingStatus(BLEChannel)
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

/// What a message leads to, before it is encoded.
struct Transition: ~Copyable {
  var phase: Phase
  var messages: [BLEMessage] = []
  var events: [PresentationEvent] = []
  var statusWord: StatusWord?

  /// Goes to a phase, saying nothing.
  init(_ phase: consuming Phase, events: [PresentationEvent] = []) {
    self.phase = phase
    self.events = events
  }

  /// Answers a command.
  init(
    _ phase: consuming Phase, answer data: [UInt8] = [], _ statusWord: StatusWord,
    events: [PresentationEvent] = []
  ) {
    self.phase = phase
    self.events = events
    self.statusWord = statusWord
    messages = [.response(data, statusWord)]
  }
}
