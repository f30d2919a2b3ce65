/// What the reader says outside of commands (section 12, messages of protocols 1 to 4).
enum ReaderNotification {
  /// Decrypts a notification, once there are keys, and follows it.
  static func receive(
    _ message: BLEMessage, in phase: consuming Phase, _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    switch consume phase {
    case .presented(var session, let stage):
      // A reader that could make nothing of the fast answer has no channel, and may be busy. What is
      // encrypted is longer, so that the two cannot be taken for each other.
      if stage.completion != nil, case .event = message.kind, message.payload.count < 16 {
        return Transition(.presented(session, stage), events: try readerEvent(message))
      }
      let (opened, events) = try session.open(message)
      var transition = try follow(
        opened, session, stage, surroundings.configuration.action)
      transition.events = events + transition.events
      return transition
    case .awaitingAuth0(let deadline):
      let events = try clearEvents(of: message)
      // Busy starts the timer again.
      let restarted = surroundings.configuration.auth0Deadline(from: surroundings.moment)
      return Transition(
        .awaitingAuth0(deadline: events.isEmpty ? deadline : restarted), events: events)
    case let phase:
      return Transition(phase, events: try clearEvents(of: message))
    }
  }

  /// The events of a message that came before there were keys.
  private static func clearEvents(of message: BLEMessage) throws(Failure) -> [PresentationEvent] {
    guard case .event = message.kind else {
      throw .message("The reader sent a notification in clear that must be encrypted.")
    }
    return try readerEvent(message)
  }

  private static func follow(
    _ message: BLEMessage, _ session: consuming AcceptedSession, _ stage: Stage,
    _ action: LockAction?
  ) throws(Failure) -> Transition {
    switch message.kind {
    case .event:
      return Transition(.presented(session, stage), events: try readerEvent(message))
    case .accessProtocolCompleted:
      guard case .awaitingCompletion = stage else {
        throw .message("The reader completed the access protocol twice.")
      }
      return try completed(message, session, action)
    case .readerStatusChanged:
      return statusChanged(try status(message), session, stage)
    case .ranging(let kind):
      return try Ranging.receive(kind, message.payload, session, stage)
    case .rangingNotification:
      return try Ranging.receive(try BLEAttributes(message.payload), session, stage)
    case .other:
      return Transition(.presented(session, stage))
    case .command, .response, .deviceNotification, .unknown:
      throw .message("The reader sent a notification that only a device may send.")
    }
  }

  /// "Access protocol completed": the credential is accepted, and the request follows, if one was
  /// made beforehand.
  private static func completed(
    _ message: BLEMessage, _ session: consuming AcceptedSession, _ action: LockAction?
  ) throws(Failure) -> Transition {
    let attributes = try BLEAttributes(message.payload)
    // Reporting mode, then the state of the lock.
    let value = attributes[0] ?? []
    let status = LockStatus(value.count == 2 ? value[1] : nil)
    let events = [PresentationEvent(.accessProtocolCompleted, status.rawValue)]
    guard let action else {
      return Transition(.presented(session, .accepted), events: events)
    }
    var session = session
    let request = try session.seal(action.request)
    var transition = Transition(.presented(session, .awaitingStatus(action)), events: events)
    transition.notifications = [request]
    return transition
  }

  /// "Reader status changed": after a request, or after ranging, what became of it.
  ///
  /// A state that settles nothing is passed on, and the session waits for one that does.
  private static func statusChanged(
    _ status: LockStatus, _ session: consuming AcceptedSession, _ stage: Stage
  ) -> Transition {
    guard let kind = outcome(status, session.ranging, stage) else {
      return Transition(
        .presented(session, stage), events: [PresentationEvent(.status, status.rawValue)])
    }
    return Transition(.finished, events: [PresentationEvent(kind, status.rawValue)])
  }

  /// What a state of the lock settles.
  private static func outcome(
    _ status: LockStatus, _ ranging: RangingStanding, _ stage: Stage
  ) -> PresentationEvent.Kind? {
    switch (stage, status) {
    case (.awaitingStatus(let action), .secured), (.awaitingStatus(let action), .unsecured):
      status == action.status ? .accessGranted : .accessDenied
    case (.awaitingStatus, .jammed): .status
    // Nobody asked for it but who came near.
    case (.accepted, .unsecured): ranging == .setUp ? .accessGranted : nil
    default: nil
    }
  }

  private static func status(_ message: BLEMessage) throws(Failure) -> LockStatus {
    // Source of the operation, then the state; the layout is uncertain (section 15.12).
    let value = try BLEAttributes(message.payload)[0] ?? []
    return LockStatus(value.count == 2 ? value[1] : nil)
  }

  /// Busy (attribute 0) leaves the session as it is; a general error (attribute 1) ends it.
  private static func readerEvent(_ message: BLEMessage) throws(Failure) -> [PresentationEvent] {
    let attributes = try BLEAttributes(message.payload)
    if let code = attributes[1] {
      let detail =
        switch code.first {
        case 1: "The reader has no resources."
        case 2: "The reader found wrong parameters."
        case 3: "The reader has no ranging key."
        default: "The reader reports an error that it does not name."
        }
      throw Failure(
        refusal: Refusal(.protocolError, detail), events: [PresentationEvent(.error, detail)])
    }
    return attributes[0] == nil ? [] : [PresentationEvent(.busy)]
  }
}
