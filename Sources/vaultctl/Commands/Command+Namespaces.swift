import VaultAPI
import WireCoding

extension Command {
  static let namespaceCreate = Command(
    path: ["namespace", "create"], summary: "make a namespace",
    operands: [.namespace],
    details: ["A namespace that exists already is left as it is, and said to exist."],
    examples: ["vaultctl namespace create demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.namespaceCreate(NamespaceCreateParams(namespace: name)))
    let view = ResultView(result)
    let made = result["created"]?.flag == false ? "exists already" : "is made"
    return CommandOutput(json: result, blocks: [.text(["\(name) \(made) (id \(view["id"]))"])])
  }

  static let namespaceGet = Command(
    path: ["namespace", "get"], summary: "show a namespace, its keys and whether it has a pass",
    operands: [.namespace],
    examples: ["vaultctl namespace get demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.namespaceGet(NamespaceGetParams(namespace: name)))
    return CommandOutput(json: result, blocks: NamespaceView.blocks(result))
  }

  static let namespaceList = Command(
    path: ["namespace", "list"], summary: "list namespaces in the order of their names",
    options: [.prefix, .after, .limit],
    details: ["A list that goes on says so at its end; --after shows the next part."],
    examples: [
      "vaultctl namespace list --prefix demo/",
      "vaultctl namespace list --limit 1000 --after demo/front-door",
    ]
  ) { context throws(CommandFailure) in
    let invocation = context.invocation
    var params = NamespaceListParams()
    if let text = invocation.value(.prefix) {
      guard let prefix = try? NamespacePrefix(text) else {
        throw .usage("--prefix is not the beginning of a namespace name")
      }
      params.prefix = prefix
    }
    if let text = invocation.value(.after) {
      params.after = try Invocation.namespace(text, named: "--after")
    }
    if let limit = try invocation.integer(.limit, in: 1...VaultLimits.pageLimit) {
      params.limit = limit
    }
    let result = try context.call(.namespaceList(params))
    let more = result["next"]?.text.map { ["the list goes on: --after \($0)"] } ?? []
    return CommandOutput(json: result, blocks: [NamespaceView.list(result)], notes: more)
  }

  static let namespaceRevoke = Command(
    path: ["namespace", "revoke"], summary: "destroy the keys of a namespace for good",
    operands: [.namespace],
    details: [
      "There is no way back: its keys and passes are gone, and the name cannot be used again.",
      "When the command has ended with 0, no answer made with its keys comes any more.",
    ],
    examples: ["vaultctl namespace revoke demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.namespaceRevoke(NamespaceRevokeParams(namespace: name)))
    let notes =
      result["erasure"]?.text == "pending"
      ? ["its wrapped key is still to be erased from the disk; see `vaultctl status`"] : []
    return CommandOutput(json: result, blocks: [.text(["\(name) is revoked"])], notes: notes)
  }
}

extension OptionSpec {
  static let prefix = OptionSpec(
    name: "--prefix", value: "TEXT", help: "only names that begin with this")
  static let after = OptionSpec(
    name: "--after", value: "NAMESPACE", help: "only names that come after this one")
  static let limit = OptionSpec(
    name: "--limit", value: "N", help: "at most so many, 1 to 1000 (default 100)")
}
