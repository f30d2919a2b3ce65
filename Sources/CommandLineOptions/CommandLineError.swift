/// What is wrong with a command line; every case names the word.
package enum CommandLineError: Error, Hashable, Sendable {
  /// There is no such option; perhaps another was meant.
  case unknownOption(String, suggestion: String?)
  /// There is no such command; perhaps another was meant.
  case unknownCommand(String, suggestion: String?)
  /// A command with commands below it was called without one of them.
  case missingCommand(of: String)
  /// An option needs a value and has none.
  case missingValue(option: String, valueName: String)
  /// The word after an option looks like an option itself.
  case suspiciousValue(option: String, word: String)
  /// A flag was given a value.
  case unexpectedValue(option: String)
  /// A value is not of the kind the option takes.
  case badValue(option: String, word: String, expected: String)
  /// An option was given more often than once.
  case repeatedOption(String)
  /// An option that must be given was not.
  case missingOption(String)
  /// Two options exclude each other.
  case exclusiveOptions(String, String)
  /// There is a word too many.
  case unexpectedArgument(String)
  /// An argument that must be given was not.
  case missingArgument(String)
}

extension CommandLineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownOption(let word, let suggestion):
      "there is no option \(word)\(Self.hint(suggestion))"
    case .unknownCommand(let word, let suggestion):
      "there is no command \"\(word)\"\(Self.hint(suggestion))"
    case .missingCommand(let name): "\(name) needs a command; see \(name) --help"
    case .missingValue(let option, let valueName): "\(option) needs a value: \(option) \(valueName)"
    case .suspiciousValue(let option, let word):
      "\(option) needs a value, but \(word) follows; write \(option)=\(word) if it is meant"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .badValue(let option, let word, let expected):
      "\(option) takes \(expected), not \"\(word)\""
    case .repeatedOption(let option): "\(option) was given twice"
    case .missingOption(let usage): "\(usage) is missing"
    case .exclusiveOptions(let first, let second): "\(first) and \(second) exclude each other"
    case .unexpectedArgument(let word): "there is a word too many: \"\(word)\""
    case .missingArgument(let name): "\(name) is missing"
    }
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}
