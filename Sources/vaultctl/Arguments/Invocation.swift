import WireCoding

/// A command with its options and operands, as they were typed.
struct Invocation: Equatable, Sendable {
  /// The operands in their order.
  let operands: [String]
  /// The options that were given, with their values; a switch has none.
  let options: [String: String?]

  /// Whether an option was given.
  func has(_ option: OptionSpec) -> Bool { options[option.name] != nil }

  /// The value of an option, `nil` when it was not given.
  func value(_ option: OptionSpec) -> String? { options[option.name] ?? nil }

  /// An operand the parser has made sure of, `nil` for an optional one that is not there.
  func operand(_ index: Int) -> String? {
    operands.indices.contains(index) ? operands[index] : nil
  }

  /// The value of an option that must be there.
  func required(_ option: OptionSpec) throws(CommandFailure) -> String {
    guard let value = value(option) else { throw .usage("\(option.usage) is missing") }
    return value
  }

  /// The value of an option that is a number.
  func integer(
    _ option: OptionSpec, in range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int64? {
    guard let text = value(option) else { return nil }
    // The parser of the standard library takes a plus sign; this one does not.
    guard let number = Int64(text), range.contains(number), text.first != "+" else {
      throw .usage("\(option.name) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of an option that is one of a few words.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ option: OptionSpec, as type: Choice.Type
  ) throws(CommandFailure) -> Choice? {
    guard let text = value(option) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("\(option.name) is one of \(words)")
    }
    return choice
  }

  /// The only one of several options that was given.
  ///
  /// - Parameters:
  ///   - options: of which exactly one is due.
  ///   - fallback: what it is when none was given; a usage error when `nil`.
  func one(
    of options: [OptionSpec], or fallback: OptionSpec? = nil
  ) throws(CommandFailure) -> OptionSpec {
    let given = options.filter(has)
    if given.count == 1 { return given[0] }
    if given.isEmpty, let fallback { return fallback }
    let names = options.map(\.usage).joined(separator: ", ")
    throw .usage(given.isEmpty ? "one of \(names) is missing" : "only one of \(names) may be given")
  }

  /// The namespace that is the first operand.
  func namespace() throws(CommandFailure) -> NamespaceName {
    try Self.namespace(operand(0) ?? "", named: OperandSpec.namespace.name)
  }

  /// Checks a namespace name before it travels.
  static func namespace(
    _ text: String, named place: String
  ) throws(CommandFailure) -> NamespaceName {
    guard let name = try? NamespaceName(text) else {
      throw .usage(
        "\(place) is not a namespace name",
        hint: "1 to 8 segments of a-z 0-9 . _ - joined by /, each starting with a letter or digit")
    }
    return name
  }
}
