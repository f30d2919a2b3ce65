/// UWB ranging (section 12, protocol 1 and notification 1): relayed, never done.
///
/// What cannot be is answered with general error 3: there is no ranging key before the reader has
/// had it made, and no ranging session to go back to before one was set up here.
enum Ranging {
  /// A message of the set-up by the reader.
  static func receive(
    _ kind: RangingMessage.Kind?, _ payload: [UInt8], _ session: consuming AcceptedSession,
    _ stage: Stage
  ) throws(Failure) -> Transition {
    // A message that is not known is passed over (section 15.12).
    guard let kind else { return Transition(.presented(session, stage)) }
    guard session.ranging.allows(kind) else { return try impossible(session, stage) }
    session.follow(kind)
    var transition = Transition(.presented(session, stage))
    transition.ranging = [RangingMessage(kind, payload: payload)]
    return transition
  }

  /// A notification of the reader on how ranging stands.
  static func receive(
    _ attributes: BLEAttributes, _ session: consuming AcceptedSession, _ stage: Stage
  ) throws(Failure) -> Transition {
    let words = [
      "ranging begins", "ranging resumes", "ranging will be set up later",
      "ranging will resume later", "secure ranging failed", "ranging is suspended",
    ]
    let told = words.indices.filter { attributes[UInt8($0)] != nil }
    let isPossible = told.allSatisfy { index in
      switch index {
      case 0: session.ranging != .keyless
      case 1: session.ranging == .setUp
      default: true
      }
    }
    guard isPossible else { return try impossible(session, stage) }
    return Transition(
      .presented(session, stage), events: told.map { PresentationEvent(.status, words[$0]) })
  }

  private static func impossible(
    _ session: consuming AcceptedSession, _ stage: Stage
  ) throws(Failure) -> Transition {
    var session = session
    let error = try session.seal(
      BLEMessage(protocolNumber: 2, id: 0, payload: BLEAttributes.encode(1, [3])))
    var transition = Transition(
      .presented(session, stage),
      events: [PresentationEvent(.status, "ranging was asked for and is not possible")])
    transition.notifications = [error]
    return transition
  }
}
