import CommandLineOptions

extension CommandFailure {
  /// A command line that does not parse.
  ///
  /// A word that does not fit is not repeated: it may be a secret that was typed where none is
  /// taken.
  ///
  /// - Parameters:
  ///   - error: what is wrong.
  ///   - path: the command it is about, as far as it was found.
  init(_ error: CommandLineError, path: [String]) {
    let words =
      switch error {
      case .unknownCommand(_, let suggestion):
        "there is no such command" + (suggestion.map { "; did you mean \($0)?" } ?? "")
      case .suspiciousValue(let option, _):
        "\(option) needs a value; one that begins with a dash is written \(option)=-..."
      case .badValue(let option, _, let expected): "\(option) takes \(expected)"
      case .missingCommand(let name): "\(name) needs a command"
      case .unexpectedArgument: "there is a word too many"
      default: error.description
      }
    let command = (["vaultctl"] + path).joined(separator: " ")
    self.init(.usage, words, hint: "see `\(command) --help`")
  }
}
