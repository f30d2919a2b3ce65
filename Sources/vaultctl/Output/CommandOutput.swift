import WireCoding

/// What a command that succeeded has to say.
struct CommandOutput: Equatable, Sendable {
  /// For programs (`--json`).
  var json: JSONValue
  /// For people, on standard output.
  var blocks: [OutputBlock] = []
  /// For people, on standard error, so that it does not get into a pipe.
  var notes: [String] = []
  /// Octets to write to standard output instead of everything else.
  var octets: [UInt8]?
  /// Why the command fails all the same, once this has been said.
  var failure: CommandFailure?

  /// The octets for standard output.
  ///
  /// - Parameters:
  ///   - isJSON: whether `--json` was given.
  ///   - style: where they go.
  /// - Returns: the octets.
  func standardOutput(isJSON: Bool, _ style: TerminalStyle) -> [UInt8] {
    if let octets { return octets }
    if isJSON { return JSONText.compact(json) + [UInt8(ascii: "\n")] }
    return Self.text(blocks.flatMap { $0.lines(style) })
  }

  /// The octets for standard error; a program gets none.
  func standardError(isJSON: Bool) -> [UInt8] {
    isJSON ? [] : Self.text(notes.map(DisplayText.clean))
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }
}
