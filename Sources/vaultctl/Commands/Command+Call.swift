import VaultAPI
import WireCoding

extension Command {
  static let call = Command(
    path: ["call"], summary: "make any call of the protocol",
    operands: [OperandSpec(name: "METHOD"), OperandSpec(name: "JSON", isOptional: true)],
    details: [
      "JSON is the object of parameters, {} when it is left out; - reads it from standard input.",
      "Methods that take a secret are refused: the command line is no place for one.",
    ],
    examples: [
      "vaultctl call hello", "vaultctl call namespace.get '{\"namespace\":\"demo/front-door\"}'",
    ]
  ) { context throws(CommandFailure) in
    let name = context.invocation.operand(0) ?? ""
    let method = VaultMethod(rawValue: name)
    guard method?.takesSecret != true else {
      throw .usage(
        "\(name) takes a secret, which must not stand on a command line",
        hint: method == .unseal ? "use `vaultctl unseal`" : "use `vaultctl slot add`")
    }
    let params: JSONValue
    switch context.invocation.operand(1) {
    case nil: params = .object([])
    case "-": params = try FileInput.object("-")
    case let text?: params = try FileInput.object(Array(text.utf8), named: "JSON")
    }
    let result = try context.call(
      method: name, params: params, isAdmin: method?.isAdminOnly ?? false)
    return CommandOutput(json: result, blocks: [.text(JSONText.indented(result))])
  }
}
