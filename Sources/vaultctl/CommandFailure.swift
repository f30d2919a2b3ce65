import VaultAPI

/// Why a command ends without success: what to say, what to try next, and the exit code.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  /// What happened, for a person; never a secret.
  let message: String
  /// What to do about it.
  var hint: String?
  /// The server's own words, when it was the server that refused, or would have.
  var server: ServerFailure?
  /// Whether the call may have taken effect all the same.
  var isUncertain = false
  /// The signal that interrupted the command, which then ends as by it.
  var signal: Int32?

  init(_ code: ExitCode, _ message: String, hint: String? = nil, server: ServerFailure? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.server = server
  }

  /// A wrong command line.
  static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(.usage, message, hint: hint)
  }
}
