import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let call = Verb(
    Command(
      "call", summary: "makes any call of the protocol",
      discussion: """
        Methods that take a secret or give one are refused: a command line is no place for one, and \
        neither is what is shown.
        """,
      arguments: [
        Command.Argument("METHOD", help: "the name of the method"),
        Command.Argument(
          "JSON", help: "the object of parameters, {} unless given; - reads it from standard input",
          isOptional: true),
      ],
      examples: [
        Command.Example("vaultctl call hello", "shows versions"),
        Command.Example(
          "vaultctl call namespace.get '{\"namespace\":\"demo/front-door\"}'", "gives parameters"),
      ])
  ) { context throws(CommandFailure) in
    let name = context.line.argument(0) ?? ""
    let method = VaultMethod(rawValue: name)
    guard method?.takesSecret != true else {
      throw .usage(
        "\(name) takes a secret, which must not stand on a command line",
        hint: "use `vaultctl \(words(for: name))`")
    }
    let params: JSONValue
    switch context.line.argument(1) {
    case nil: params = .object([])
    case "-": params = try FileInput.object("-")
    case let text?: params = try FileInput.object(Array(text.utf8), named: "JSON")
    }
    guard method?.givesSecret != true else {
      throw .usage(
        "\(name) gives a secret, which is not shown unasked",
        hint: "use `vaultctl \(words(for: name))`")
    }
    let result = try context.call(
      method: name, params: params, isAdmin: method?.isAdminOnly ?? false)
    return CommandOutput(json: result, blocks: [.text(JSONText.indented(result))])
  }
}

extension Verb {
  /// The command for a method: `flinkey renew-begin` for `flinkey.renew.begin`.
  private static func words(for method: String) -> String {
    let parts = method.split(separator: ".", maxSplits: 1)
    return parts.map { $0.replacing(".", with: "-") }.joined(separator: " ")
  }
}
