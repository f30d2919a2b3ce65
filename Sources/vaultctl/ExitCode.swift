/// How `vaultctl` ends: numbers that scripts may rely on, from sysexits(3) where it has one.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failure = 1
  case wrongSecret = 10
  case damaged = 11
  case notFound = 12
  case conflict = 13
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case outputFailed = 74
  case tryAgain = 75
  case protocolMismatch = 76
  case forbidden = 77

  /// What it means, for the help and the manual page.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failure: "another failure"
    case .wrongSecret: "wrong secret: no slot opens with it"
    case .damaged: "damaged: stored data does not agree with its seal"
    case .notFound: "there is nothing of that name"
    case .conflict: "the present state forbids it (exists, expired, untrusted reader ...)"
    case .usage: "the command line is wrong"
    case .badData: "a file or a value is malformed"
    case .noInput: "a file cannot be read"
    case .unavailable: "the vault is not running, sealed, or cannot write"
    case .internalError: "the vault failed; see its log"
    case .cannotCreate: "a file or directory cannot be made"
    case .outputFailed: "the output cannot be written"
    case .tryAgain: "busy or out of time: try again"
    case .protocolMismatch: "the vault and vaultctl do not understand each other"
    case .forbidden: "this user may not do that"
    }
  }

  /// All of them as a table for the help.
  static var table: String {
    allCases.map { code in
      "  " + DisplayText.pad(String(code.rawValue), 4, right: true) + "  " + code.meaning
    }.joined(separator: "\n")
  }
}
