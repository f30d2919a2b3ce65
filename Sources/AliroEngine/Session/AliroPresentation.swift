/// One presentation of a credential, as the user device of Aliro 1.0: the whole of its transaction
/// over NFC, and over BLE with what goes around it (section 12).
///
/// Octets come in and go out; time and keys come from the caller. Nothing that a reader sends is
/// thrown or trapped on: every message becomes a ``PresentationStep``. A message that is wrong ends
/// the session, and the session's keys with it.
///
/// One thread at a time; the value owns its keys, so it cannot be copied.
public struct AliroPresentation: ~Copyable, Sendable {
  private let configuration: PresentationConfiguration
  private var phase = Phase.ready
  /// What becomes of a demand that the user be authenticated; a confirmation is used up by the first.
  private var userAuthentication: UserAuthentication
  /// The parts of a command that is not whole yet.
  private var chain: CommandChain?
  /// The rest of an answer that the reader has not fetched yet.
  private var rest: ResponseChain?

  /// Makes a presentation; ``start(at:)`` comes next.
  ///
  /// - Parameter configuration: what it works with.
  public init(configuration: PresentationConfiguration) {
    self.configuration = configuration
    userAuthentication = configuration.userAuthentication
  }

  /// Where the presentation stands.
  public var state: PresentationState { phase.state }

  /// Sends the initiate message over BLE, in clear; over NFC the reader speaks first.
  ///
  /// Called once, first.
  ///
  /// - Parameter moment: when that is.
  /// - Returns: the message; a step with a refusal when the presentation was started before.
  public mutating func start(at moment: Moment) -> PresentationStep {
    guard phase.isReady else { return over("The presentation was already started.", at: moment) }
    switch configuration.transport {
    case .nfc:
      return take(Transition(.awaitingSelect), at: moment)
    case .ble(_, _, let intent):
      let deadline = configuration.auth0Deadline(from: moment)
      var transition = Transition(.awaitingAuth0(deadline: deadline))
      transition.notifications = [intent.initiateMessage]
      return take(transition, at: moment)
    }
  }

  /// Takes one message of the reader.
  ///
  /// - Parameters:
  ///   - message: over BLE exactly one message of the channel, header included, at most 4096
  ///     octets; over NFC one APDU.
  ///   - moment: when it came.
  ///   - memory: what the credential keeps.
  /// - Returns: what to send, what happened and where the presentation stands now.
  public mutating func receive(
    _ message: Span<UInt8>, at moment: Moment, memory: some PresentationMemory
  ) -> PresentationStep {
    guard phase.isListening else {
      return over("The presentation has ended or not begun.", at: moment)
    }
    // Until the message has been found good the session counts as failed: whatever path leads out
    // of here, a phase that is not put back has lost its keys.
    var current = Phase.failed
    swap(&current, &phase)
    do throws(Failure) {
      let surroundings = Surroundings(
        configuration: configuration, userAuthentication: userAuthentication, moment: moment,
        memory: memory)
      return take(try advance(current, message, surroundings), at: moment)
    } catch {
      return fail(error)
    }
  }

  /// Asks something of a reader that has accepted the credential, over BLE.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - moment: when that is.
  /// - Returns: the message; a step with a refusal, and nothing changed, when it cannot be asked now.
  public mutating func request(_ request: ReaderRequest, at moment: Moment) -> PresentationStep {
    var current = Phase.failed
    swap(&current, &phase)
    switch consume current {
    case .presented(let session, .accepted):
      if let objection = request.objection(session.ranging) {
        phase = .presented(session, .accepted)
        return over(objection, at: moment)
      }
      do throws(Failure) {
        return take(try request.ask(session), at: moment)
      } catch {
        return fail(error)
      }
    case let other:
      phase = other
      return over("The reader has not accepted the credential, or was asked already.", at: moment)
    }
  }

  /// Ends the presentation and drops its keys.
  ///
  /// - Returns: a step that says so.
  public mutating func close() -> PresentationStep {
    chain = nil
    rest = nil
    phase = .closed
    return PresentationStep(state: .closed)
  }

  private mutating func advance(
    _ phase: consuming Phase, _ octets: Span<UInt8>, _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    if let deadline = phase.deadline, surroundings.moment.uptime > deadline {
      // Nothing is sent (section 15.11).
      throw .message("The reader did not begin in time.")
    }
    guard configuration.interface == .ble else {
      return try answer(CommandAPDU(Array(copying: octets)), phase, surroundings)
    }
    let message = try BLEMessage(octets)
    switch message.kind {
    case .command:
      return try answer(CommandAPDU(message.payload), phase, surroundings)
    case .response, .unknown:
      throw .message("The reader sent a message that only a device may send, or an unknown one.")
    case .event, .ranging, .rangingNotification, .other, .readerStatusChanged,
      .accessProtocolCompleted, .deviceNotification:
      return try ReaderNotification.receive(message, in: phase, surroundings)
    }
  }
}

// MARK: - Commands

extension AliroPresentation {
  /// Carries out a command (sections 2 and 14).
  private mutating func answer(
    _ part: CommandAPDU, _ phase: consuming Phase, _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    let rest = rest
    self.rest = nil
    if part.instruction == .getResponse, rest != nil {
      var transition = Transition(phase)
      transition.answer = rest
      transition.wanted = part.wanted
      return transition
    }
    guard part.instruction == .exchange || !phase.isInAtomicSession else {
      throw Failure(
        statusWord: .notAllowed,
        refusal: Refusal(.protocolError, "The reader left an atomic session of the mailbox."))
    }
    guard let (instruction, data) = try collect(part, phase) else {
      return Transition(phase, .success)
    }
    switch instruction {
    case .select:
      return try OtherCommand.select(part, phase, over: configuration.interface)
    case .getData:
      // The proprietary data object that nobody supports; the session goes on.
      return Transition(phase, .dataNotFound)
    case .controlFlow:
      return try OtherCommand.controlFlow(data)
    case .auth0, .loadCertificate, .auth1, .exchange, .envelope, .getResponse:
      return try TransactionCommand.answer(instruction, data, phase, surroundings)
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
    // Selecting an application over NFC is not one command cut short by another: it is a new start.
    if part.instruction == .select && configuration.interface == .nfc { pending = nil }
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
}

// MARK: - Steps

extension AliroPresentation {
  private mutating func take(
    _ transition: consuming Transition, at moment: Moment
  ) -> PresentationStep {
    var messages = transition.notifications.map(\.encoded)
    var statusWord: UInt16?
    if var answer = transition.answer {
      let response = answer.next(transition.wanted)
      statusWord = response.statusWord
      messages.insert(frame(response), at: 0)
      rest = answer.isEmpty ? nil : answer
    }
    if transition.usesConfirmation { userAuthentication = .refused }
    let (events, changes, ranging) = (transition.events, transition.changes, transition.ranging)
    phase = transition.phase.delivering(isComplete: rest == nil)
    return PresentationStep(
      messages: messages, events: events, state: phase.state, statusWord: statusWord,
      changes: changes, ranging: ranging, timeout: timeout(at: moment))
  }

  private mutating func fail(_ failure: Failure) -> PresentationStep {
    phase = .failed
    chain = nil
    rest = nil
    let answer = failure.statusWord.map { [frame(ResponseAPDU([], $0))] }
    return PresentationStep(
      messages: answer ?? [],
      events: failure.events + [PresentationEvent(.failed, failure.refusal.message)],
      state: .failed, statusWord: failure.statusWord?.rawValue, refusal: failure.refusal)
  }

  /// A call that changes nothing.
  private func over(_ message: String, at moment: Moment) -> PresentationStep {
    PresentationStep(
      state: phase.state, refusal: Refusal(.protocolError, message), timeout: timeout(at: moment))
  }

  /// How long AUTH0 may take yet.
  private func timeout(at moment: Moment) -> Int64? {
    phase.deadline.map { max(0, $0 - moment.uptime) }
  }

  /// An answer as it travels.
  private func frame(_ response: ResponseAPDU) -> [UInt8] {
    switch configuration.interface {
    case .nfc: response.encoded
    case .ble: BLEMessage.response(response).encoded
    }
  }
}
