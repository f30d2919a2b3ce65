import VaultAPI

extension Command {
  static let slotList = Command(
    path: ["slot", "list"], summary: "list the slots that open the vault",
    examples: ["vaultctl slot list"]
  ) { context throws(CommandFailure) in
    let result = try context.call(.slotList)
    return CommandOutput(json: result, blocks: [SlotView.block(result)])
  }

  static let slotAdd = Command(
    path: ["slot", "add"], summary: "make one more slot that opens the vault",
    options: [.label] + OptionSpec.passphrases + [.newKeyFile],
    details: [
      "A key file is made anew and never put over another file; if the vault then refuses the"
        + " slot, the file is removed again."
    ],
    examples: [
      "vaultctl slot add --label 'second admin' --passphrase",
      "vaultctl slot add --label 'boot' --key-file /etc/latchkey/boot.key",
    ]
  ) { context throws(CommandFailure) in
    let label = try context.invocation.required(.label)
    guard (1...64).contains(label.utf8.count) else { throw .usage("a label has 1 to 64 bytes") }
    let source = try SecretSource(context.invocation, keyFile: .newKeyFile, or: nil)
    let result = try SlotAddition(label: label, source: source).run(context)
    let slot = ResultView(result)["slot"]
    return CommandOutput(json: result, blocks: [.text(["slot \(slot) opens the vault now"])])
  }

  static let slotRemove = Command(
    path: ["slot", "remove"], summary: "remove a slot, so that its secret opens nothing any more",
    operands: [OperandSpec(name: "SLOT")],
    details: ["The last slot cannot be removed."],
    examples: ["vaultctl slot remove 2"]
  ) { context throws(CommandFailure) in
    let text = context.invocation.operand(0) ?? ""
    guard let slot = Int64(text), (0...0x7FFF_FFFF).contains(slot), text.first != "+" else {
      throw .usage("SLOT is the number of a slot", hint: "see `vaultctl slot list`")
    }
    let result = try context.call(.slotRemove(SlotRemoveParams(slot: slot)))
    return CommandOutput(json: result, blocks: [.text(["slot \(slot) is removed"])])
  }
}

extension OptionSpec {
  static let label = OptionSpec(
    name: "--label", value: "TEXT", help: "what to call the slot, 1 to 64 bytes")
  static let newKeyFile = OptionSpec(
    name: "--key-file", value: "PATH", help: "make a new key file there")
}
