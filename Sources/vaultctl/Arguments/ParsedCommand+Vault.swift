import CommandLineOptions
import WireCoding

extension ParsedCommand {
  /// The namespace that is an argument, the first unless another is meant, checked before it travels.
  func namespace(at place: Int = 0) throws(CommandFailure) -> NamespaceName {
    guard let name = try? NamespaceName(argument(place) ?? "") else {
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
