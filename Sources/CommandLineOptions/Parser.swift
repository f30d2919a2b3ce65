extension Command {
  /// Parses the words after the program's name.
  ///
  /// Options may stand anywhere after the command they belong to; a word `--` ends them. `-h` and
  /// `--help` ask for the help of the command before them, `--version` for the version.
  ///
  /// - Parameter words: the command line without the program's name.
  /// - Returns: what it says.
  /// - Throws: ``CommandLineError`` at the first word that is wrong.
  package func parse(_ words: [String]) throws(CommandLineError) -> ParsingOutcome {
    var parsing = Parsing(command: self, words: words)
    return try parsing.run()
  }
}

/// One pass over the words.
private struct Parsing {
  private var command: Command
  private var path: [String]
  private var options: [OptionDeclaration]
  private var exclusions: [[String]]
  private var arguments: [String] = []
  private var values: [String: [any Sendable]] = [:]
  private var words: ArraySlice<String>

  init(command: Command, words: [String]) {
    self.command = command
    path = [command.name]
    options = command.options
    exclusions = command.exclusions
    self.words = words[...]
  }

  mutating func run() throws(CommandLineError) -> ParsingOutcome {
    var acceptsOptions = true
    while let word = words.popFirst() {
      if acceptsOptions, word == "--" {
        acceptsOptions = false
      } else if acceptsOptions, word == "--help" || word == "-h" {
        return .help(HelpText(command: command, path: path, options: options).text)
      } else if acceptsOptions, word == "--version" {
        return .version
      } else if acceptsOptions, word.hasPrefix("--") {
        try takeLong(word)
      } else if acceptsOptions, word.hasPrefix("-"), word != "-" {
        try takeShort(word)
      } else {
        try takeWord(word)
      }
    }
    try checkComplete()
    return .run(ParsedCommand(path: path, arguments: arguments, values: values))
  }

  private mutating func takeWord(_ word: String) throws(CommandLineError) {
    guard command.subcommands.isEmpty else {
      guard let next = command.subcommands.first(where: { $0.name == word }) else {
        let names = command.subcommands.map(\.name)
        throw .unknownCommand(word, suggestion: Similarity.nearest(to: word, among: names))
      }
      command = next
      path.append(next.name)
      options += next.options
      exclusions += next.exclusions
      return
    }
    let isFull = arguments.count >= command.arguments.count
    guard !isFull || command.arguments.last?.isRepeated == true else {
      throw .unexpectedArgument(word)
    }
    arguments.append(word)
  }

  private mutating func takeLong(_ word: String) throws(CommandLineError) {
    let equals = word.firstIndex(of: "=")
    let written = String(word[..<(equals ?? word.endIndex)])
    guard let option = options.first(where: { "--\($0.name)" == written }) else {
      let names = options.map { "--\($0.name)" } + ["--help", "--version"]
      throw .unknownOption(written, suggestion: Similarity.nearest(to: written, among: names))
    }
    let value = equals.map { String(word[word.index(after: $0)...]) }
    guard option.takesValue else {
      guard value == nil else { throw .unexpectedValue(option: written) }
      return try store("", of: option, written: written)
    }
    if let value { return try store(value, of: option, written: written) }
    try store(try nextValue(of: option, written: written), of: option, written: written)
  }

  /// Takes `-v`, `-vq` (flags together), `-oVALUE`, `-o=VALUE` and `-o VALUE`.
  private mutating func takeShort(_ word: String) throws(CommandLineError) {
    // A long name with one dash would be taken for `-d` with the value `ata`.
    let start = String(word.prefix { $0 != "=" })
    guard !options.contains(where: { "-\($0.name)" == start }) else {
      throw .unknownOption(start, suggestion: "-" + start)
    }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let written = "-\(letter)"
      guard let option = options.first(where: { $0.short == letter }) else {
        throw .unknownOption(written, suggestion: nil)
      }
      guard option.takesValue else {
        try store("", of: option, written: written)
        continue
      }
      let rest = String(letters.first == "=" ? letters.dropFirst() : letters)
      let value = letters.isEmpty ? try nextValue(of: option, written: written) : rest
      return try store(value, of: option, written: written)
    }
  }

  private mutating func nextValue(
    of option: OptionDeclaration, written: String
  ) throws(CommandLineError) -> String {
    guard let word = words.first else {
      throw .missingValue(option: written, valueName: option.valueName ?? "")
    }
    // `--data --config FILE` is a slip; a value that looks like an option is written with `=`.
    guard !word.hasPrefix("-") || word == "-" || Int(word) != nil else {
      throw .suspiciousValue(option: written, word: word)
    }
    words.removeFirst()
    return word
  }

  private mutating func store(
    _ word: String, of option: OptionDeclaration, written: String
  ) throws(CommandLineError) {
    guard let value = option.parse(word) else {
      throw .badValue(option: written, word: word, expected: option.kind)
    }
    guard option.occurrence == .repeated || values[option.name] == nil else {
      throw .repeatedOption("--\(option.name)")
    }
    values[option.name, default: []].append(value)
  }

  private func checkComplete() throws(CommandLineError) {
    guard command.subcommands.isEmpty else {
      throw .missingCommand(of: path.joined(separator: " "))
    }
    for option in options where option.occurrence == .required && values[option.name] == nil {
      throw .missingOption(option.usage)
    }
    for group in exclusions {
      let given = group.filter { values[$0] != nil }
      guard given.count < 2 else { throw .exclusiveOptions("--\(given[0])", "--\(given[1])") }
    }
    if let missing = command.arguments.dropFirst(arguments.count).first(where: { !$0.isOptional }) {
      throw .missingArgument(missing.name)
    }
  }
}
