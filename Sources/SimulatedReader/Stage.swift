/// What the lock says in a transaction; the device answers all but the last.
enum Stage {
  /// The device begins, over BLE; the lock has said nothing yet.
  case initiate
  /// SELECT of the expedited phase, over NFC.
  case select
  case auth0
  case loadCertificate
  case auth1
  /// SELECT of the step-up phase, over NFC.
  case selectStepUp
  case envelope
  /// EXCHANGE with the reader status, which over NFC is the end.
  case report
  /// "Access protocol completed", over BLE.
  case completed
  /// "Reader status changed", over BLE the end.
  case status

  /// What the lock's message is called.
  var name: String {
    switch self {
    case .initiate: ""
    case .select, .selectStepUp: "SELECT"
    case .auth0: "AUTH0"
    case .loadCertificate: "LOAD CERT"
    case .auth1: "AUTH1"
    case .envelope: "ENVELOPE"
    case .report: "EXCHANGE"
    case .completed: "Access Protocol Completed"
    case .status: "Reader Status Changed"
    }
  }

  /// What the device's message after it is called.
  var answerName: String {
    switch self {
    case .initiate: "Initiate Access Protocol"
    case .completed: "Request"
    default: "answer to \(name)"
    }
  }
}
