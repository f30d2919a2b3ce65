import WireCoding

/// One presentation of a credential over BLE, as the user device of Aliro 1.0: the expedited-standard
/// transaction followed by a remote keyless entry request (section 12, steps 2 to 9 of the sequence).
///
/// Octets come in and go out; time, keys and random octets come from the configuration. Nothing that
/// a reader sends is thrown or trapped on: every message becomes a ``PresentationStep``. A message
/// that is wrong ends the session, and the session's keys with it.
///
/// One thread at a time; the value owns its keys, so it cannot be copied.
public struct AliroPresentation: ~Copyable, Sendable {
  private let configuration: PresentationConfiguration
  private var phase = Phase.ready
  private var chain: CommandChain?

  /// Makes a presentation; ``start(at:)`` comes next.
  ///
  /// - Parameter configuration: what it works with.
  public init(configuration: PresentationConfiguration) {
    self.configuration = configuration
  }

  /// Where the presentation stands.
  public var state: PresentationState { phase.state }

  /// Sends the initiate message for RKE, in clear.
  ///
  /// Called once, first.
  ///
  /// - Parameter moment: when that is.
  /// - Returns: the message; a failed step when the presentation was started before.
  public mutating func start(at moment: Moment) -> PresentationStep {
    guard phase.isReady else { return over("The presentation was already started.") }
    let payload = BLEAttributes.encode(0, ProprietaryInformation.encoded)
    var transition = Transition(.awaitingAuth0)
    transition.messages = [BLEMessage(protocolNumber: 2, id: 6, payload: payload)]
    return take(transition)
  }

  /// Takes one message of the reader.
  ///
  /// - Parameters:
  ///   - message: exactly one message of the channel, header included, at most 4096 octets.
  ///   - moment: when it came.
  ///   - memory: what the credential keeps.
  /// - Returns: what to send, what happened and where the presentation stands now.
  public mutating func receive(
    _ message: Span<UInt8>, at moment: Moment, memory: some PresentationMemory
  ) -> PresentationStep {
    guard phase.isListening else { return over("The presentation has ended or not begun.") }
    // Until the message has been found good the session counts as failed: whatever path leads out
    // of here, a phase that is not put back has lost its keys.
    var current = Phase.failed
    swap(&current, &phase)
    do throws(Failure) {
      return take(try advance(current, message, at: moment.time))
    } catch {
      return fail(error)
    }
  }

  /// Asks something of a reader that has accepted the credential.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - moment: when that is.
  /// - Returns: the message; a step with a refusal, and nothing changed, when it cannot be asked now.
  public mutating func request(_ request: ReaderRequest, at moment: Moment) -> PresentationStep {
    over("The reader cannot be asked for anything now.")
  }

  /// Ends the presentation and drops its keys.
  ///
  /// - Returns: a step that says so.
  public mutating func close() -> PresentationStep {
    chain = nil
    return take(Transition(.closed))
  }

  private mutating func advance(
    _ phase: consuming Phase, _ octets: Span<UInt8>, at time: Timestamp
  ) throws(Failure) -> Transition {
    let message = try BLEMessage(octets)
    switch message.kind {
    case .command:
      return try answer(try CommandAPDU(message.payload), phase, at: time)
    case .response, .unknown:
      throw .message("The reader sent a message that only a device may send, or an unknown one.")
    case .event, .other, .readerStatusChanged, .accessProtocolCompleted, .deviceNotification:
      return try ReaderNotification.receive(message, in: phase, configuration.intent)
    }
  }

  /// Carries out a command (sections 2 and 14).
  private mutating func answer(
    _ part: CommandAPDU, _ phase: consuming Phase, at time: Timestamp
  ) throws(Failure) -> Transition {
    guard let (instruction, data) = try collect(part, phase) else {
      return Transition(phase, .success)
    }
    switch instruction {
    case .select:
      return try OtherCommand.select(part, phase)
    case .getData:
      // The proprietary data object that nobody supports; the session goes on.
      return Transition(phase, .dataNotFound)
    case .controlFlow:
      throw OtherCommand.controlFlow(data)
    case .auth0, .loadCertificate, .auth1, .exchange, .envelope, .getResponse:
      return try transact(instruction, data, phase, at: time)
    }
  }

  /// Carries out a command of the transaction, in the one phase where it belongs.
  private func transact(
    _ instruction: CommandAPDU.Instruction, _ data: [UInt8], _ phase: consuming Phase,
    at time: Timestamp
  ) throws(Failure) -> Transition {
    switch consume phase {
    case .awaitingAuth0 where instruction == .auth0:
      return try AwaitingAuth0.answer(data, configuration)
    case .awaitingAuth1(let session) where instruction == .loadCertificate:
      return try session.answer(loadCertificate: data, at: time)
    case .awaitingAuth1(let session) where instruction == .auth1:
      return try session.answer(auth1: data, at: time, channelSalt: configuration.channelSalt)
    case .awaitingCompletion(let session) where instruction == .exchange:
      try session.refuse(exchange: data)
    case .awaitingStatus(let session) where instruction == .exchange:
      try session.refuse(exchange: data)
    default:
      // A second AUTH0 included: one transaction a session. ENVELOPE is not served.
      throw .wrongState("The reader sent a command that does not belong here.")
    }
  }

  /// Puts a command together that may come in parts.
  ///
  /// - Returns: the whole command; `nil` when more parts are due.
  private mutating func collect(
    _ part: CommandAPDU, _ phase: borrowing Phase
  ) throws(Failure) -> (CommandAPDU.Instruction, [UInt8])? {
    var pending = chain
    chain = nil
    if pending == nil {
      guard part.isChained else { return (part.instruction, part.data) }
      // Nothing is collected for a command that would be refused anyway.
      guard phase.expects(part.instruction) else {
        throw .wrongState("The reader sent a command that does not belong here.")
      }
      chain = CommandChain(part)
      return nil
    }
    try pending?.append(part)
    guard part.isChained, let pending else { return (part.instruction, pending?.data ?? []) }
    chain = pending
    return nil
  }

  private mutating func take(_ transition: consuming Transition) -> PresentationStep {
    let step = PresentationStep(
      messages: transition.messages.map(\.encoded), events: transition.events,
      state: transition.phase.state, statusWord: transition.statusWord?.rawValue)
    phase = transition.phase
    return step
  }

  private mutating func fail(_ failure: Failure) -> PresentationStep {
    phase = .failed
    chain = nil
    let answer = failure.statusWord.map { [BLEMessage.response([], $0).encoded] }
    return PresentationStep(
      messages: answer ?? [],
      events: failure.events + [PresentationEvent(.failed, failure.refusal.message)],
      state: .failed, statusWord: failure.statusWord?.rawValue, refusal: failure.refusal)
  }

  /// A call that changes nothing, since there is no session to change.
  private func over(_ message: String) -> PresentationStep {
    PresentationStep(state: phase.state, refusal: Refusal(.protocolError, message))
  }
}
