extension ReaderRequest {
  /// The message that asks it, in clear.
  private var message: BLEMessage {
    switch self {
    case .unsecure: LockAction.unsecure.request
    case .secure: LockAction.secure.request
    case .initiateRanging:
      BLEMessage(protocolNumber: 2, id: 1, payload: BLEAttributes.encode(0, []))
    case .resumeRanging:
      BLEMessage(protocolNumber: 2, id: 1, payload: BLEAttributes.encode(1, []))
    case .ranging(let message):
      BLEMessage(protocolNumber: 1, id: message.kind.id, payload: message.payload)
    }
  }

  /// Where the session stands once it was asked.
  private var stage: Stage {
    switch self {
    case .unsecure: .awaitingStatus(.unsecure)
    case .secure: .awaitingStatus(.secure)
    case .initiateRanging, .resumeRanging, .ranging: .accepted
    }
  }

  /// Why it cannot be asked; `nil` when it can.
  func objection(_ ranging: RangingStanding) -> String? {
    switch self {
    case .unsecure, .secure:
      return nil
    case .initiateRanging:
      return ranging == .keyless ? "The reader has not had a ranging key made." : nil
    case .resumeRanging:
      return ranging == .setUp ? nil : "No ranging was set up in this presentation."
    case .ranging(let message):
      guard message.payload.count <= RangingMessage.payloadLimit else {
        return "The ranging message is longer than a message can be."
      }
      return ranging.allows(message.kind) ? nil : "Ranging is not possible, or not set up."
    }
  }

  /// Asks it of a reader that has accepted the credential.
  func ask(_ session: consuming AcceptedSession) throws(Failure) -> Transition {
    let sealed = try session.seal(message)
    if case .ranging(let message) = self { session.follow(message.kind) }
    var transition = Transition(.presented(session, stage))
    transition.notifications = [sealed]
    return transition
  }
}
