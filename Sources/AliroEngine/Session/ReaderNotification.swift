/// What the reader says outside of commands (section 12, messages of protocols 1 to 4).
enum ReaderNotification {
  /// Decrypts a notification, once there are keys, and follows it.
  static func receive(
    _ message: BLEMessage, in phase: consuming Phase, _ intent: PresentationIntent
  ) throws(Failure) -> Transition {
    switch consume phase {
    case .awaitingCompletion(var session):
      let message = try session.notifications.open(message)
      if case .accessProtocolCompleted = message.kind {
        return try completed(message, session, intent)
      }
      return Transition(.awaitingCompletion(session), events: try events(of: message))
    case .awaitingStatus(var session):
      let message = try session.notifications.open(message)
      if case .readerStatusChanged = message.kind {
        return try statusChanged(message, session, intent)
      }
      return Transition(.awaitingStatus(session), events: try events(of: message))
    case let phase:
      // Before there are keys only busy and error may come in clear.
      guard case .event = message.kind else {
        throw .message("The reader sent a notification in clear that must be encrypted.")
      }
      return Transition(phase, events: try events(of: message))
    }
  }

  /// "Access protocol completed": the credential is accepted, and the request follows.
  private static func completed(
    _ message: BLEMessage, _ session: consuming AcceptedSession, _ intent: PresentationIntent
  ) throws(Failure) -> Transition {
    let attributes = try BLEAttributes(message.payload)
    // Reporting mode, then the state of the lock.
    let value = attributes[0] ?? []
    let status = LockStatus(value.count == 2 ? value[1] : nil)
    var session = session
    let request = BLEMessage(
      protocolNumber: 2, id: 4, payload: BLEAttributes.encode(0, [intent.octet]))
    let sealed = try session.notifications.seal(request)
    var transition = Transition(
      .awaitingStatus(session),
      events: [PresentationEvent(.accessProtocolCompleted, status.rawValue)])
    transition.messages = [sealed]
    return transition
  }

  /// "Reader status changed" after the request: what became of it.
  ///
  /// A state that settles nothing is passed on, and the session waits for one that does.
  private static func statusChanged(
    _ message: BLEMessage, _ session: consuming AcceptedSession, _ intent: PresentationIntent
  ) throws(Failure) -> Transition {
    let status = try status(message)
    switch status {
    case intent.status:
      return Transition(.finished, events: [PresentationEvent(.accessGranted, status.rawValue)])
    case .secured, .unsecured:
      return Transition(.finished, events: [PresentationEvent(.accessDenied, status.rawValue)])
    case .jammed:
      return Transition(.finished, events: [PresentationEvent(.status, status.rawValue)])
    case .securing, .unsecuring, .unknown:
      return Transition(
        .awaitingStatus(session), events: [PresentationEvent(.status, status.rawValue)])
    }
  }

  /// The events of a notification that does not move the session on.
  private static func events(of message: BLEMessage) throws(Failure) -> [PresentationEvent] {
    switch message.kind {
    case .event:
      return try readerEvent(message)
    case .readerStatusChanged:
      return [PresentationEvent(.status, try status(message).rawValue)]
    case .accessProtocolCompleted:
      throw .message("The reader completed the access protocol twice.")
    case .other:
      // Ranging, time and third-party messages are for moving devices.
      return []
    case .command, .response, .deviceNotification, .unknown:
      throw .message("The reader sent a notification that only a device may send.")
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
