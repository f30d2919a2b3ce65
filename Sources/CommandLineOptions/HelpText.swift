/// Writes the help of a command, at most 80 columns wide.
struct HelpText {
  private static let width = 80
  /// Where explanations begin.
  private static let indent = 26

  let command: Command
  let path: [String]
  /// Its own options and those of the commands above it.
  let options: [OptionDeclaration]

  var text: String {
    var parts = ["\(path.joined(separator: " ")): \(command.summary)", usage]
    if !command.discussion.isEmpty { parts.append(paragraphs(command.discussion)) }
    if !command.arguments.isEmpty {
      parts.append(section("Arguments", command.arguments.map { ($0.name, $0.help) }))
    }
    if !command.subcommands.isEmpty {
      parts.append(section("Commands", command.subcommands.map { ($0.name, $0.summary) }))
    }
    parts.append(section("Options", options.map(row) + [helpRow, versionRow]))
    if !command.examples.isEmpty { parts.append(examples) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var helpRow: (String, String) { ("-h, --help", "print this help and end") }
  private var versionRow: (String, String) { ("    --version", "print the version and end") }

  private var usage: String {
    var words = path
    for option in options where option.occurrence == .required { words.append(option.usage) }
    if options.contains(where: { $0.occurrence != .required }) { words.append("[OPTION…]") }
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    for argument in command.arguments {
      let name = argument.name + (argument.isRepeated ? "…" : "")
      words.append(argument.isOptional ? "[\(name)]" : name)
    }
    return "Usage: " + Self.wrap(words, first: 7, rest: 9)
  }

  private func row(_ option: OptionDeclaration) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    let note =
      switch option.occurrence {
      case .optional: ""
      case .required: " (required)"
      case .repeated: " (may be given again)"
      }
    return (short + option.usage, option.help + note)
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    let lines = rows.map { name, help in
      let head = "  " + name
      let text = Self.wrap(
        help.split(separator: " ").map(String.init), first: Self.indent, rest: Self.indent)
      let gap = Self.indent - head.count
      return gap >= 2
        ? head + String(repeating: " ", count: gap) + text
        : head + "\n" + String(repeating: " ", count: Self.indent) + text
    }
    return "\(title):\n" + lines.joined(separator: "\n")
  }

  private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // Indented lines are tables and stay as they are.
      line.hasPrefix(" ")
        ? String(line)
        : Self.wrap(line.split(separator: " ").map(String.init), first: 0, rest: 0)
    }.joined(separator: "\n")
  }

  private var examples: String {
    "Examples:\n"
      + command.examples.map { "  # \($0.purpose)\n  \($0.line)" }.joined(separator: "\n")
  }

  /// Sets words into lines; `first` columns of the first line are taken, and `rest` columns of the
  /// others are left free.
  private static func wrap(_ words: [String], first: Int, rest: Int) -> String {
    var result = ""
    var column = first
    for word in words {
      if !result.isEmpty {
        if column + 1 + word.count > width {
          result += "\n" + String(repeating: " ", count: rest)
          column = rest
        } else {
          result += " "
          column += 1
        }
      }
      result += word
      column += word.count
    }
    return result
  }
}
