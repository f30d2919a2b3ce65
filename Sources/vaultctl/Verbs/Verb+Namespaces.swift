import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let namespaceCreate = Verb(
    "namespace",
    Command(
      "create", summary: "makes a namespace",
      discussion: "A namespace that exists already is left as it is, and said to exist.",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl namespace create demo/front-door", "makes one")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.namespaceCreate(NamespaceParams(namespace: name)))
    let made = result["created"]?.flag == false ? "exists already" : "is made"
    let identifier = ResultView(result)["id"]
    return CommandOutput(json: result, blocks: [.text(["\(name) \(made) (id \(identifier))"])])
  }

  static let namespaceGet = Verb(
    "namespace",
    Command(
      "get", summary: "shows a namespace: keys, pass and settings",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl namespace get demo/front-door", "shows one")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.namespaceGet(NamespaceParams(namespace: name)))
    return CommandOutput(json: result, blocks: NamespaceView.blocks(result))
  }

  static let namespaceList = Verb(
    "namespace",
    Command(
      "list", summary: "lists namespaces in the order of their names",
      discussion: "A list that goes on says so at its end; --after shows the next part.",
      options: [.add(Options.prefix), .add(Options.after), .add(Options.limit)],
      examples: [
        Command.Example("vaultctl namespace list --prefix demo/", "lists a part of the names"),
        Command.Example(
          "vaultctl namespace list --limit 1000 --after demo/front-door", "goes on with the list"),
      ])
  ) { context throws(CommandFailure) in
    var params = NamespaceListParams()
    params.prefix = context.line[Options.prefix]
    params.after = context.line[Options.after]
    if let limit = context.line[Options.limit] { params.limit = Int64(limit) }
    let result = try context.call(.namespaceList(params))
    let more = result["next"]?.text.map { ["the list goes on: --after \($0)"] } ?? []
    return CommandOutput(json: result, blocks: [NamespaceView.list(result)], notes: more)
  }

  static let namespaceConfigure = Verb(
    "namespace",
    Command(
      "configure", summary: "sets what gateways may do in a namespace",
      discussion: """
        A reader may insist that the user confirms the action. With --user-confirmation allow a \
        gateway may assert, on opening a presentation, that the user just has; with refuse, and \
        unless this was ever set, such a reader is turned away. The audit log tells of each \
        assertion.
        """,
      options: [.add(Options.userConfirmation)], arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl namespace configure demo/front-door --user-confirmation allow",
          "trusts the gateway's word")
      ])
  ) { context throws(CommandFailure) in
    guard let choice = context.line[Options.userConfirmation] else {
      throw .usage("--user-confirmation is missing")
    }
    let params = NamespaceConfigureParams(
      namespace: try context.line.namespace(), userConfirmation: choice == .allow)
    let result = try context.call(.namespaceConfigure(params))
    return CommandOutput(
      json: result,
      blocks: [.text(["\(params.namespace): user confirmation is \(choice.participle)"])])
  }
}
