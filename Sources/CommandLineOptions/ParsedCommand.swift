/// What a command line says.
package struct ParsedCommand: Sendable {
  /// The commands called, from the program's name on.
  package let path: [String]
  /// The words that are no options, in order.
  package let arguments: [String]
  let values: [String: [any Sendable]]

  /// The name of the command called, the last of the path.
  package var name: String { path.last ?? "" }

  /// The value of an option, `nil` when it was not given.
  package subscript<Value>(_ option: Option<Value>) -> Value? {
    values[option.declaration.name]?.first as? Value
  }

  /// Whether a flag was given.
  package subscript(_ flag: Option<Bool>) -> Bool {
    values[flag.declaration.name] != nil
  }

  /// Every value of an option, in order.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    values[option.declaration.name]?.compactMap { $0 as? Value } ?? []
  }

  /// The value of an option that is required.
  ///
  /// - Throws: ``CommandLineError/missingOption(_:)`` when it was not given; parsing has made sure
  ///   of it for options declared as required.
  package func require<Value>(_ option: Option<Value>) throws(CommandLineError) -> Value {
    guard let value = self[option] else { throw .missingOption(option.declaration.usage) }
    return value
  }

  /// The argument at a place, `nil` when it was not given.
  package func argument(_ place: Int) -> String? {
    arguments.indices.contains(place) ? arguments[place] : nil
  }
}

/// What parsing a command line comes to.
package enum ParsingOutcome: Sendable {
  /// A command is to be carried out.
  case run(ParsedCommand)
  /// Help was asked for; this is its text.
  case help(String)
  /// The version was asked for.
  case version
}
