import CommandLineOptions
import Glibc
import ProcessHardening
import VaultCore

/// The program from its words to its exit code.
enum Program {
  /// Runs.
  ///
  /// - Parameter words: the command line without the name of the program.
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    // Also when the words turn out to be wrong, whoever asked for JSON gets the reason as JSON.
    let isJSON = words.prefix { $0 != "--" }.contains("--json")
    do throws(CommandFailure) {
      try harden()
      try execute(try parse(words), isJSON)
      return ExitCode.done.rawValue
    } catch {
      report(error, isJSON)
      // The usual effect of a signal that was only held back.
      if let signal = error.signal { raise(signal) }
      return error.code.rawValue
    }
  }

  /// Closes the ways to the memory of this process before it holds a secret.
  private static func harden() throws(CommandFailure) {
    // With the rights of another user, its options would let the caller write that user's files.
    guard getuid() == geteuid(), getgid() == getegid() else {
      throw CommandFailure(.forbidden, "vaultctl does not run as set-user-ID or set-group-ID")
    }
    do throws(HardeningError) {
      try ProcessHardening.apply(keepsInput: true)
    } catch {
      throw CommandFailure(.failure, error.description)
    }
  }

  private static func parse(_ typed: [String]) throws(CommandFailure) -> ParsingOutcome {
    // `vaultctl help COMMAND` is `vaultctl COMMAND --help`.
    let words = typed.first == "help" ? Array(typed.dropFirst()) + ["--help"] : typed
    do throws(CommandLineError) { return try VerbTable.root.parse(words) } catch {
      throw CommandFailure(error, path: VerbTable.path(in: words))
    }
  }

  private static func execute(
    _ outcome: ParsingOutcome, _ isJSON: Bool
  ) throws(CommandFailure) {
    switch outcome {
    case .version: try write("vaultctl \(Version.current)\n")
    case .help(let text): try write(text)
    case .run(let line):
      guard let verb = VerbTable.verb(line.path.dropFirst()) else {
        throw .usage("there is no such command")
      }
      let output = try verb.run(CallContext(line: line))
      let style = TerminalStyle.of(STDOUT_FILENO)
      do throws(CommandFailure) {
        try StandardStream.write(output.standardOutput(isJSON: isJSON, style), to: STDOUT_FILENO)
        try StandardStream.write(output.standardError(isJSON: isJSON), to: STDERR_FILENO)
      } catch {
        // What failed before counts: a terminal that hangs up takes the output with it.
        throw output.failure ?? error
      }
      if let failure = output.failure { throw failure }
    }
  }

  private static func write(_ text: String) throws(CommandFailure) {
    try StandardStream.write(Array(text.utf8), to: STDOUT_FILENO)
  }

  private static func report(_ failure: CommandFailure, _ isJSON: Bool) {
    // Without words: the reader of a pipe has gone, and knows it.
    guard !failure.message.isEmpty else { return }
    if isJSON {
      StandardStream.note(
        String(decoding: JSONText.compact(FailureText.json(failure)), as: UTF8.self))
    } else {
      for line in FailureText.lines(failure) { StandardStream.note(line) }
    }
  }
}
