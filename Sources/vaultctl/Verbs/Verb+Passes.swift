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
        reader_groups, and perhaps revocation_document, credential_issuer_public_key and mailbox. \
        Each of its groups may have a secret group_resolving_key: keep FILE private then. The pass \
        before it is replaced. The whole pass is refused, and the field named, when any part of it \
        is wrong.
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
    let pass = try PassInput.read(context.line.argument(1) ?? "-")
    let result = try context.call(.passStore(PassStoreParams(namespace: name, pass: pass)))
    let words = result["replaced"]?.flag == true ? "the pass is replaced" : "the pass is stored"
    return CommandOutput(json: result, blocks: [.text([words]), .fields(PassView.fields(result))])
  }

  static let passInfo = Verb(
    "pass",
    Command(
      "info", summary: "shows the pass of a namespace and whether it can be used",
      discussion: """
        Shown are its dates and reader groups, whether its issuer was verified, its revocation \
        document and mailbox, and in words what it allows, and when.
        """,
      arguments: [.namespace],
      examples: [Command.Example("vaultctl pass info demo/front-door", "shows all of it")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.passInfo(NamespaceParams(namespace: name)))
    return CommandOutput(json: result, blocks: PassView.blocks(result))
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
