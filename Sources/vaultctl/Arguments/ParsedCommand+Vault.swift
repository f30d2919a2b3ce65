import CommandLineOptions
import WireCoding

extension ParsedCommand {
  /// The namespace that is the first argument, checked before it travels.
  func namespace() throws(CommandFailure) -> NamespaceName {
    guard let name = try? NamespaceName(argument(0) ?? "") else {
      throw .usage(
        "NAMESPACE is not a namespace name",
        hint: "1 to 8 segments of a-z 0-9 . _ - joined by /, each starting with a letter or digit")
    }
    return name
  }
}

extension Command.Argument {
  static let namespace = Command.Argument("NAMESPACE", help: "the name of the namespace")
}
