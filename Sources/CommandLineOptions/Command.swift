/// A command: its options, its arguments and its sub-commands; what parsing and help go by.
package struct Command: Sendable {
  /// A word that is no option, by its place.
  package struct Argument: Hashable, Sendable {
    /// What it is called in the help, in capitals.
    package let name: String
    /// What it is; one sentence without its full stop.
    package let help: String
    /// Whether it may be absent; only the last ones may.
    package let isOptional: Bool
    /// Whether it takes all the words that are left; only the last one may.
    package let isRepeated: Bool

    /// Declares an argument.
    package init(
      _ name: String, help: String, isOptional: Bool = false, isRepeated: Bool = false
    ) {
      self.name = name
      self.help = help
      self.isOptional = isOptional
      self.isRepeated = isRepeated
    }
  }

  /// A command line and what it is for.
  package struct Example: Hashable, Sendable {
    /// The command line.
    package let line: String
    /// What it does.
    package let purpose: String

    /// Makes an example.
    package init(_ line: String, _ purpose: String) {
      self.line = line
      self.purpose = purpose
    }
  }

  /// The word that calls it.
  package let name: String
  /// What it does; one sentence without its full stop.
  package let summary: String
  /// More to say in its help, in paragraphs.
  package let discussion: String
  /// The words it takes, in order.
  package let arguments: [Argument]
  /// What the help shows.
  package let examples: [Example]
  /// The commands below it; one with any takes no arguments of its own.
  package let subcommands: [Command]
  let options: [OptionDeclaration]
  let exclusions: [[String]]

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - name: the word that calls it.
  ///   - summary: what it does; one sentence without its full stop.
  ///   - discussion: more to say in its help.
  ///   - options: those of a command hold for its sub-commands too.
  ///   - exclusive: names of options of which at most one may be given, group by group.
  ///   - arguments: the words it takes.
  ///   - subcommands: the commands below it.
  ///   - examples: what the help shows.
  package init(
    _ name: String, summary: String, discussion: String = "", options: OptionList = [],
    exclusive: [[String]] = [], arguments: [Argument] = [], subcommands: [Command] = [],
    examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options.declarations
    self.exclusions = exclusive
    self.arguments = arguments
    self.subcommands = subcommands
    self.examples = examples
  }
}

/// Options of different types in one list, as in `[.add(data), .add(verbose)]`.
package struct OptionList: ExpressibleByArrayLiteral, Sendable {
  /// One option of the list.
  package struct Element: Sendable {
    fileprivate let declaration: OptionDeclaration

    /// Adds an option to the list.
    package static func add<Value>(_ option: Option<Value>) -> Element {
      Element(declaration: option.declaration)
    }
  }

  let declarations: [OptionDeclaration]

  /// Makes a list of options.
  package init(arrayLiteral elements: Element...) {
    declarations = elements.map(\.declaration)
  }
}
