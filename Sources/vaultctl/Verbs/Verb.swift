import CommandLineOptions

/// One command: how it is called, and what it does.
struct Verb: Sendable {
  /// The words before the last one, empty or one group.
  let group: String?
  /// How the last word is called, and all that follows it.
  let command: Command
  let run: @Sendable (CallContext) throws(CommandFailure) -> CommandOutput

  /// Declares a command of a group.
  init(
    _ group: String, _ command: Command,
    run: @escaping @Sendable (CallContext) throws(CommandFailure) -> CommandOutput
  ) {
    self.group = group
    self.command = command
    self.run = run
  }

  /// Declares a command that is called by one word.
  init(
    _ command: Command,
    run: @escaping @Sendable (CallContext) throws(CommandFailure) -> CommandOutput
  ) {
    group = nil
    self.command = command
    self.run = run
  }

  /// Its words, such as `namespace create`.
  var path: [String] { (group.map { [$0] } ?? []) + [command.name] }

  /// The words as typed.
  var name: String { path.joined(separator: " ") }
}
