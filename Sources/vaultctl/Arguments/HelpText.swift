/// The help of the program, of a group of commands, and of one command.
enum HelpText {
  /// Help about what the words name.
  ///
  /// - Parameters:
  ///   - path: the words of a command or group; everything when empty.
  ///   - width: the columns to fit.
  /// - Returns: its lines.
  static func lines(_ path: [String], width: Int) throws(CommandFailure) -> [String] {
    if path.isEmpty { return program(width) }
    if let command = CommandTable.command(path) { return page(command, width) }
    if path.count == 1, let group = CommandTable.groups.first(where: { $0.name == path[0] }) {
      return self.group(group.name, group.summary, width)
    }
    throw .usage("there is no help about that", hint: "see `vaultctl --help`")
  }

  private static func program(_ width: Int) -> [String] {
    let commands = CommandTable.commands.map { ($0.name, $0.summary) }
    let codes = ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }
    return ["vaultctl - set up and use a Latchkey vault", "", "usage: vaultctl COMMAND [OPTION ...]"]
      + section("commands", list(commands, width))
      + section("options of every command that talks to the vault",
          list(OptionSpec.connection.map { ($0.usage, $0.help) }, width))
      + section("exit codes", list(codes, width))
      + section(
        "example",
        [
          "  $ vaultctl init --data /var/lib/latchkey --passphrase \\",
          "      --recovery-file /media/usb/recovery.key --admin alice",
          "  $ vaultctl unseal", "  $ vaultctl key public demo/front-door",
        ]) + ["", "`vaultctl COMMAND --help` says more about a command."]
  }

  private static func group(_ name: String, _ summary: String, _ width: Int) -> [String] {
    let commands = CommandTable.commands(under: [name])
    return ["vaultctl \(name) - \(summary)"]
      + section("commands", list(commands.map { ($0.name, $0.summary) }, width))
      + section("example", commands.prefix(2).flatMap(\.examples).map { "  $ \($0)" })
  }

  private static func page(_ command: Command, _ width: Int) -> [String] {
    var lines = DisplayText.wrap("vaultctl \(command.name) - \(command.summary)", width)
    let words = [command.name] + command.operands.map(\.usage)
    lines += ["", "usage: vaultctl \(words.joined(separator: " ")) [OPTION ...]"]
    for paragraph in command.details { lines += [""] + DisplayText.wrap(paragraph, width) }
    lines += section("options", list(command.allOptions.map { ($0.usage, $0.help) }, width))
    let title = command.examples.count == 1 ? "example" : "examples"
    return lines + section(title, command.examples.map { "  $ \($0)" })
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    ["", "\(title):"] + lines
  }

  /// Names and explanations in two columns, the second one wrapped.
  private static func list(_ entries: [(String, String)], _ width: Int) -> [String] {
    let column = entries.reduce(0) { max($0, DisplayText.width($1.0)) }
    return entries.flatMap { name, text in
      let lines = DisplayText.wrap(text, max(width - column - 4, 20))
      return lines.enumerated().map { index, line in
        "  " + DisplayText.pad(index == 0 ? name : "", column) + "  " + line
      }
    }
  }
}
