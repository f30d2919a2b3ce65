import WireCoding

/// The commands that do not belong to the transaction.
enum OtherCommand {
  /// The start of both Aliro application identifiers.
  private static let applicationPrefix: [UInt8] = [
    0xA0, 0x00, 0x00, 0x09, 0x09, 0xAC, 0xCE, 0x55,
  ]

  /// SELECT: the applications of Aliro are not selected over BLE (section 3); a mistaken one is
  /// refused and the session goes on.
  static func select(
    _ command: CommandAPDU, _ phase: consuming Phase
  ) throws(Failure) -> Transition {
    guard command.p1 == 0x04, command.p2 == 0x00 else {
      return Transition(phase, .wrongParameters)
    }
    guard command.data.prefix(8) != applicationPrefix[...] else {
      throw .wrongState("The reader selected an application, which BLE does not have.")
    }
    return Transition(phase, .fileNotFound)
  }

  /// CONTROL FLOW: the reader ends the session, which is answered with success (section 10).
  static func controlFlow(_ data: [UInt8]) -> Failure {
    let fields: CommandFields
    do {
      fields = try CommandFields(
        data,
        [
          .init(tag: 0x41, length: 1...1), .init(tag: 0x42, length: 1...1),
          .init(tag: 0x43, length: 0...250, isRequired: false),
        ])
    } catch {
      return error
    }
    let isFailure = fields.value(0x41) == [0]
    let reason = fields.value(0x42) == [0x27] ? " (protocol version not supported)" : ""
    let detail = "The reader ended the session\(isFailure ? " with failure" : "")\(reason)."
    return Failure(
      statusWord: .success, refusal: Refusal(.protocolError, detail),
      events: [PresentationEvent(isFailure ? .accessDenied : .status, detail)])
  }
}
