import VaultAPI
import WireCoding

extension Command {
  static let passStore = Command(
    path: ["pass", "store"], summary: "store the unlock pass an issuer has made for a namespace",
    operands: [.namespace, OperandSpec(name: "FILE")],
    details: [
      "FILE is the issuer's answer as it came: a JSON object with access_document and"
        + " reader_groups; - is standard input. The pass before it is replaced.",
      "The whole pass is refused, and the field named, when any part of it is wrong.",
    ],
    examples: [
      "vaultctl pass store demo/front-door pass.json",
      "curl -s https://issuer.example/v1/issue-unlock-pass -d @request.json |"
        + " vaultctl pass store demo/front-door -",
    ]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let pass = try FileInput.object(context.invocation.operand(1) ?? "-")
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

  static let passInfo = Command(
    path: ["pass", "info"], summary: "show the pass of a namespace and whether it can be used",
    operands: [.namespace],
    examples: ["vaultctl pass info demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.passInfo(PassInfoParams(namespace: name)))
    return CommandOutput(json: result, blocks: [PassView.block(result)])
  }

  static let passDelete = Command(
    path: ["pass", "delete"], summary: "delete the pass of a namespace and its credential key",
    operands: [.namespace],
    details: ["The next `vaultctl key public` makes a new key, which needs a new pass."],
    examples: ["vaultctl pass delete demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.passDelete(PassDeleteParams(namespace: name)))
    return CommandOutput(json: result, blocks: [.text([PassView.deletion(result)])])
  }
}
