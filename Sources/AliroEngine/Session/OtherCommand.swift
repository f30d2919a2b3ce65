import WireCoding

/// The commands that do not belong to the transaction.
enum OtherCommand {
  /// SELECT (section 3): over NFC it begins a transaction, dropping the one before it, or step-up
  /// within one.
  ///
  /// What is not an application of Aliro is refused and the session goes on.
  static func select(
    _ command: CommandAPDU, _ phase: consuming Phase, over interface: Interface
  ) throws(Failure) -> Transition {
    guard command.p1 == 0x04, command.p2 == 0x00 else {
      return Transition(phase, .wrongParameters)
    }
    guard let application = ApplicationIdentifier(command.data) else {
      return Transition(phase, .fileNotFound)
    }
    guard interface == .nfc else {
      throw .wrongState("The reader selected an application, which BLE does not have.")
    }
    let answer = application.controlInformation
    guard application == .stepUp else {
      return Transition(.awaitingAuth0(deadline: nil), answer: answer, .success)
    }
    switch consume phase {
    case .presented(var session, let stage):
      try session.selectStepUp()
      return Transition(.presented(session, stage), answer: answer, .success)
    default:
      throw .wrongState("The reader wants step-up without AUTH1.")
    }
  }

  /// CONTROL FLOW: the reader ends the session, which is answered with success (section 10; its
  /// reading of the two values, section 15.4).
  static func controlFlow(_ data: [UInt8]) throws(Failure) -> Transition {
    let fields = try CommandFields(
      data,
      [
        .init(tag: 0x41, length: 1...1), .init(tag: 0x42, length: 1...1),
        .init(tag: 0x43, length: 0...250, isRequired: false),
      ])
    let reason =
      switch fields.value(0x42) {
      case [0x00]: ""
      case [0x27]: ": protocol version not supported"
      default: ", for a reason that is not known"
      }
    guard fields.value(0x41) == [0] else {
      return Transition(
        .finished, .success,
        events: [PresentationEvent(.status, "The reader ended the session\(reason).")])
    }
    let detail = "The reader ended the session with failure\(reason)."
    throw Failure(
      statusWord: .success, refusal: Refusal(.protocolError, detail),
      events: [PresentationEvent(.accessDenied, detail)])
  }
}
