/// The commands of the transaction, each in the phases where it belongs (section 14).
enum TransactionCommand {
  /// Carries out a command.
  static func answer(
    _ instruction: CommandAPDU.Instruction, _ data: [UInt8], _ phase: consuming Phase,
    _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    switch consume phase {
    case .awaitingAuth0 where instruction == .auth0:
      return try AwaitingAuth0.answer(data, surroundings)
    case .awaitingAuth1(var completion) where instruction == .loadCertificate:
      try completion.load(certificate: data, at: surroundings.moment.time)
      return Transition(.awaitingAuth1(completion), .success)
    case .awaitingAuth1(let completion) where instruction == .auth1:
      return try completion.answer(auth1: data, surroundings)
    case .presented(let session, let stage):
      return try answer(instruction, data, session, stage, surroundings)
    default:
      // A second AUTH0 included: one transaction a session.
      throw outOfPlace
    }
  }

  /// Carries out a command where there are channels.
  private static func answer(
    _ instruction: CommandAPDU.Instruction, _ data: [UInt8],
    _ session: consuming AcceptedSession, _ stage: Stage, _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    switch instruction {
    case .exchange:
      guard stage.allowsExchange else { throw outOfPlace }
      let answer = try session.exchange(data, surroundings)
      return transition(answer, session, stage)
    case .envelope:
      let answer = try session.envelope(data, surroundings)
      return transition(answer, session, stage)
    case .loadCertificate:
      guard var completion = stage.completion else { throw outOfPlace }
      try completion.load(certificate: data, at: surroundings.moment.time)
      return Transition(.presented(session, .awaitingCompletion(completion)), .success)
    case .auth1:
      // The channels of the fast form go; those of AUTH1 begin anew (section 8).
      guard let completion = stage.completion else { throw outOfPlace }
      return try completion.answer(auth1: data, surroundings)
    default:
      throw outOfPlace
    }
  }

  private static func transition(
    _ answer: AcceptedSession.Answer, _ session: consuming AcceptedSession, _ stage: Stage
  ) -> Transition {
    let next: Phase = answer.isLast ? .finished : .presented(session, stage.withoutCompletion)
    return Transition(
      next, answer: answer.data, .success, events: answer.events, changes: answer.changes)
  }

  private static let outOfPlace = Failure.wrongState(
    "The reader sent a command that does not belong here.")
}
