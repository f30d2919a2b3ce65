import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let passStore = Verb(
    "pass",
    Command(
      "store", summary: "stores the unlock pass an issuer has made for a namespace",
      discussion: """
        FILE is the issuer's answer as it came: a JSON object with access_document and \
        reader_groups. The pass before it is replaced. The whole pass is refused, and the field \
        named, when any part of it is wrong.
        """,
      arguments: [.namespace, Command.Argument("FILE", help: "the pass; - is standard input")],
      examples: [
        Command.Example("vaultctl pass store demo/front-door pass.json", "stores a pass"),
        Command.Example(
          "curl -s https://issuer.example/v1/issue-unlock-pass -d @request.json |\n"
            + "    vaultctl pass store demo/front-door -", "stores it as it comes"),
      ])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let pass = try FileInput.object(context.line.argument(1) ?? "-")
    // Sent as it is: the vault is the judge of its parts.
    let params = JSONValue.object([
      JSONMember(name: "namespace", value: .string(name.rawValue)),
      JSONMember(name: "pass", value: pass),
    ])
    let result = try context.call(
      method: VaultMethod.passStore.name, params: params, isAdmin: false)
    let words = result["replaced"]?.flag == true ? "the pass is replaced" : "the pass is stored"
    return CommandOutput(json: result, blocks: [.text([words]), PassView.block(result)])
  }

  static let passInfo = Verb(
    "pass",
    Command(
      "info", summary: "shows the pass of a namespace and whether it can be used",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl pass info demo/front-door", "shows dates and groups")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.passInfo(NamespaceParams(namespace: name)))
    return CommandOutput(json: result, blocks: [PassView.block(result)])
  }

  static let passDelete = Verb(
    "pass",
    Command(
      "delete", summary: "deletes the pass of a namespace and its credential key",
      discussion: "The next `vaultctl key public` makes a new key, which needs a new pass.",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl pass delete demo/front-door", "deletes both")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.passDelete(NamespaceParams(namespace: name)))
    return CommandOutput(json: result, blocks: [.text([PassView.deletion(result)])])
  }
}
