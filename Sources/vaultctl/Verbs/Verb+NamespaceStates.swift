import CommandLineOptions
import VaultAPI
import WireCoding

// What takes the use of a namespace away, for a time or for good.
extension Verb {
  static let namespaceSuspend = Verb(
    "namespace",
    Command(
      "suspend", summary: "stops the use of a namespace's keys for a time",
      discussion: """
        Its keys and passes stay, but sign nothing and open no door until `namespace resume`. When \
        the command has ended with 0, no answer made with its keys comes any more.
        """,
      arguments: [.namespace],
      examples: [Command.Example("vaultctl namespace suspend demo/front-door", "suspends one")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.namespaceSuspend(NamespaceParams(namespace: name)))
    let words = result["changed"]?.flag == false ? "is suspended already" : "is suspended"
    return CommandOutput(json: result, blocks: [.text(["\(name) \(words)"])])
  }

  static let namespaceResume = Verb(
    "namespace",
    Command(
      "resume", summary: "ends the suspension of a namespace",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl namespace resume demo/front-door", "resumes one")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.namespaceResume(NamespaceParams(namespace: name)))
    let words = result["changed"]?.flag == false ? "is not suspended" : "is in use again"
    return CommandOutput(json: result, blocks: [.text(["\(name) \(words)"])])
  }

  static let namespaceRevoke = Verb(
    "namespace",
    Command(
      "revoke", summary: "destroys the keys of one namespace, or of many",
      discussion: """
        There is no way back: the keys and passes are gone, and the names cannot be used again. \
        When the command has ended with 0, no answer made with the keys comes any more.

        With --prefix it is a name and every name below it: all of them or, after a failure, none.
        """,
      options: [.add(Options.revokedPrefix)],
      arguments: [
        Command.Argument("NAMESPACE", help: "the name of the namespace", isOptional: true)
      ],
      examples: [
        Command.Example("vaultctl namespace revoke demo/front-door", "revokes one"),
        Command.Example("vaultctl namespace revoke --prefix demo", "revokes demo and all below it"),
      ])
  ) { context throws(CommandFailure) in
    let target = try revocation(context.line)
    let result = try context.call(.namespaceRevoke(NamespaceRevokeParams(target)))
    let (words, keys) =
      switch target {
      case .namespace(let name): ("\(name) is revoked", "its wrapped key is")
      case .prefix(let name):
        ("\(ResultView(result)["count"]) revoked at and below \(name)", "their wrapped keys are")
      }
    let notes =
      result["erasure"]?.text == "pending"
      ? ["\(keys) still to be erased from the disk; see `vaultctl status`"] : []
    return CommandOutput(json: result, blocks: [.text([words])], notes: notes)
  }

  private static func revocation(
    _ line: ParsedCommand
  ) throws(CommandFailure) -> NamespaceRevokeParams.Target {
    guard let prefix = line[Options.revokedPrefix] else {
      guard line.argument(0) != nil else { throw .usage("NAMESPACE or --prefix is missing") }
      return .namespace(try line.namespace())
    }
    guard line.argument(0) == nil else { throw .usage("NAMESPACE and --prefix exclude each other") }
    return .prefix(prefix)
  }
}
