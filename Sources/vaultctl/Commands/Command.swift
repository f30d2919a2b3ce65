/// One command: what it is called, what it takes, and what it does.
struct Command: Sendable {
  /// Its words, such as `namespace create`.
  let path: [String]
  /// What it does, on one line; no capital at the start, no full stop at the end.
  let summary: String
  var operands: [OperandSpec] = []
  /// Its own options, the usual ones not among them.
  var options: [OptionSpec] = []
  /// What else there is to know, a paragraph each.
  var details: [String] = []
  /// Command lines that can be typed as they are.
  let examples: [String]
  /// Whether it talks to a vault that runs.
  var connects = true
  let run: @Sendable (CommandContext) throws(CommandFailure) -> CommandOutput

  /// The words as typed.
  var name: String { path.joined(separator: " ") }

  /// Every option it takes.
  var allOptions: [OptionSpec] { options + (connects ? OptionSpec.connection : [.json, .help]) }
}
