/// Reads the words of a command line.
///
/// A word that does not fit is never repeated in a message: it may be a secret that was typed where
/// none is taken.
struct CommandLineReader {
  /// What the words ask for.
  enum Order: Sendable {
    case run(Command, Invocation)
    /// Help about a command, a group, or, without words, everything.
    case help([String])
    case version
  }

  private var words: ArraySlice<String>
  private var options: [String: String?] = [:]
  private var operands: [String] = []

  private init(_ words: [String]) {
    self.words = words[...]
  }

  /// Reads all words, the name of the program not among them.
  static func read(_ words: [String]) throws(CommandFailure) -> Order {
    var reader = CommandLineReader(words)
    return try reader.order()
  }

  private mutating func order() throws(CommandFailure) -> Order {
    // The usual options may stand before the command as well.
    while let word = words.first, word.hasPrefix("-") {
      if word == "--version" { return .version }
      if Self.asksForHelp(word) { return .help([]) }
      try option(of: OptionSpec.connection, in: "vaultctl")
    }
    guard let first = words.first else {
      throw .usage("a command is missing", hint: "see `vaultctl --help`")
    }
    if first == "help" { return .help(Array(words.dropFirst())) }
    let isGroup = CommandTable.groups.contains { $0.name == first }
    if isGroup, words.count > 1, Self.asksForHelp(words[words.startIndex + 1]) {
      return .help([first])
    }
    let command = try command()
    var isHelp = false
    while let word = words.first {
      if word == "--" {
        operands.append(contentsOf: words.dropFirst())
        break
      }
      if Self.asksForHelp(word) {
        isHelp = true
        words.removeFirst()
      } else if word.hasPrefix("-") && word != "-" {
        try option(of: command.allOptions, in: "vaultctl \(command.name)")
      } else {
        operands.append(word)
        words.removeFirst()
      }
    }
    if isHelp { return .help(command.path) }
    try checkOperands(command)
    return .run(command, Invocation(operands: operands, options: options))
  }

  /// Takes the words of a command.
  private mutating func command() throws(CommandFailure) -> Command {
    let first = words.first ?? ""
    if let command = CommandTable.command([first]) {
      words.removeFirst()
      return command
    }
    guard CommandTable.groups.contains(where: { $0.name == first }) else {
      throw .usage("there is no such command", hint: "see `vaultctl --help`")
    }
    words.removeFirst()
    if let second = words.first, let command = CommandTable.command([first, second]) {
      words.removeFirst()
      return command
    }
    let names = CommandTable.commands(under: [first]).map { $0.path[1] }.joined(separator: ", ")
    throw .usage(
      "`vaultctl \(first)` is followed by \(names)", hint: "see `vaultctl \(first) --help`")
  }

  /// Takes one option and its value.
  private mutating func option(
    of specs: [OptionSpec], in place: String
  ) throws(CommandFailure) {
    let word = words.removeFirst()
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let spec = specs.first(where: { $0.name == name }) else {
      throw .usage("\(DisplayText.fit(name, 40)) is not an option here", hint: "see `\(place) --help`")
    }
    guard options[name] == nil else { throw .usage("\(name) is given twice") }
    guard let value = spec.value else {
      guard parts.count == 1 else { throw .usage("\(name) takes no value") }
      options.updateValue(nil, forKey: name)
      return
    }
    if parts.count == 2 {
      options.updateValue(String(parts[1]), forKey: name)
      return
    }
    guard let next = words.first, !next.hasPrefix("--") else {
      throw .usage(
        "\(name) takes a value, \(value)", hint: "one that begins with -- is written \(name)=--...")
    }
    options.updateValue(next, forKey: name)
    words.removeFirst()
  }

  private static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

  private func checkOperands(_ command: Command) throws(CommandFailure) {
    let hint = "see `vaultctl \(command.name) --help`"
    guard operands.count <= command.operands.count else {
      throw .usage("there are words too many after `vaultctl \(command.name)`", hint: hint)
    }
    for (index, spec) in command.operands.enumerated()
    where index >= operands.count && !spec.isOptional {
      throw .usage("\(spec.name) is missing", hint: hint)
    }
  }
}
