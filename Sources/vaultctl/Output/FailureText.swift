import VaultAPI
import VaultClient
import WireCoding

/// A failure as it stands on standard error.
enum FailureText {
  /// For people: what happened, and what to do.
  static func lines(_ failure: CommandFailure) -> [String] {
    var lines = ["vaultctl: \(DisplayText.clean(failure.message))"]
    if let hint = failure.hint { lines.append("  hint: \(DisplayText.clean(hint))") }
    return lines
  }

  /// For programs: the same as one object, with the server's class when the server refused.
  static func json(_ failure: CommandFailure) -> JSONValue {
    var error: [JSONMember] = []
    if let server = failure.server {
      error.append(JSONMember(name: "code", value: .string(server.name)))
      error.append(JSONMember(name: "number", value: .integer(server.number)))
    }
    let message = failure.server?.message ?? failure.message
    error.append(JSONMember(name: "message", value: .string(message)))
    if let field = failure.server?.field {
      error.append(JSONMember(name: "field", value: .string(field)))
    }
    if let hint = failure.hint { error.append(JSONMember(name: "hint", value: .string(hint))) }
    error.append(JSONMember(name: "retry", value: .boolean(isRetryable(failure))))
    if let wait = failure.server?.retryAfter {
      error.append(JSONMember(name: "retry_after_ms", value: .integer(wait)))
    }
    // As a shell reports a process that a signal has ended.
    let exit = failure.signal.map { 128 + Int64($0) } ?? Int64(failure.code.rawValue)
    error.append(JSONMember(name: "exit", value: .integer(exit)))
    return .object([JSONMember(name: "error", value: .object(error))])
  }

  private static func isRetryable(_ failure: CommandFailure) -> Bool {
    failure.server?.retry ?? (failure.code == .tryAgain || failure.code == .unavailable)
  }
}
