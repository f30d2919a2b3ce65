/// A named option of a command, with the type of its value.
///
/// Declare each once and use the same constant to list it in its ``Command`` and to ask the
/// ``ParsedCommand`` for its value.
package struct Option<Value: Sendable>: Sendable {
  let declaration: OptionDeclaration

  /// Declares an option with a value.
  ///
  /// - Parameters:
  ///   - name: the long name, without dashes.
  ///   - short: the one-letter name, if there is one.
  ///   - value: what the value is called in the help, in capitals.
  ///   - help: what it does; one sentence without its full stop.
  ///   - occurrence: how often it may and must be given.
  ///   - kind: what is expected, for errors, as in "a whole number from 1 to 9".
  ///   - parse: makes the value of the word, `nil` when it is not one.
  package init(
    _ name: String, short: Character? = nil, value: String, help: String,
    _ occurrence: Occurrence = .optional, kind: String,
    parse: @escaping @Sendable (String) -> Value?
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, valueName: value, help: help, occurrence: occurrence, kind: kind,
      parse: parse)
  }

  fileprivate init(flag declaration: OptionDeclaration) {
    self.declaration = declaration
  }
}

/// How often an option is given.
package enum Occurrence: Hashable, Sendable {
  /// At most once.
  case optional
  /// Exactly once.
  case required
  /// Any number of times.
  case repeated
}

extension Option<Bool> {
  /// Declares a flag: an option without a value.
  package static func flag(_ name: String, short: Character? = nil, help: String) -> Option<Bool> {
    Option(
      flag: OptionDeclaration(
        name: name, short: short, valueName: nil, help: help, occurrence: .optional, kind: "",
        parse: { _ in true }))
  }
}

extension Option<String> {
  /// Declares an option whose value is any word but the empty one.
  package static func text(
    _ name: String, short: Character? = nil, value: String, help: String,
    _ occurrence: Occurrence = .optional
  ) -> Option<String> {
    Option(
      name, short: short, value: value, help: help, occurrence, kind: "a word that is not empty"
    ) { $0.isEmpty ? nil : $0 }
  }
}

extension Option<Int> {
  /// Declares an option whose value is a whole number.
  package static func number(
    _ name: String, short: Character? = nil, value: String = "N", help: String,
    in range: ClosedRange<Int>, _ occurrence: Occurrence = .optional
  ) -> Option<Int> {
    Option(
      name, short: short, value: value, help: help, occurrence,
      kind: "a whole number from \(range.lowerBound) to \(range.upperBound)"
    ) { word in
      guard let number = Int(word), range.contains(number), word.first != "+" else { return nil }
      return number
    }
  }
}

extension Option where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// Declares an option whose value is one of a few words.
  package static func choice(
    _ name: String, short: Character? = nil, value: String, help: String,
    _ occurrence: Occurrence = .optional
  ) -> Option<Value> {
    let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return Option(
      name, short: short, value: value, help: help, occurrence, kind: "one of \(words)",
      parse: Value.init(rawValue:))
  }
}

/// An option without the type of its value.
struct OptionDeclaration: Sendable {
  let name: String
  let short: Character?
  /// `nil` for a flag.
  let valueName: String?
  let help: String
  let occurrence: Occurrence
  let kind: String
  let parse: @Sendable (String) -> (any Sendable)?

  var takesValue: Bool { valueName != nil }

  /// How it is written, as in `--data DIR`.
  var usage: String {
    valueName.map { "--\(name) \($0)" } ?? "--\(name)"
  }
}
