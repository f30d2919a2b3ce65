import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let slotList = Verb(
    "slot",
    Command(
      "list", summary: "lists the slots that open the vault",
      examples: [Command.Example("vaultctl slot list", "shows kinds, labels and costs")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.slotList)
    return CommandOutput(json: result, blocks: [SlotView.block(result)])
  }

  static let slotAdd = Verb(
    "slot",
    Command(
      "add", summary: "makes one more slot that opens the vault",
      discussion: """
        A key file is made anew and never put over another file; if the vault then refuses the \
        slot, the file is removed again.
        """,
      options: [
        .add(Options.label), .add(Options.passphrase), .add(Options.passphraseInput),
        .add(Options.passphraseDescriptor), .add(Options.newKeyFile),
      ],
      exclusive: [Options.secretSources],
      examples: [
        Command.Example(
          "vaultctl slot add --label 'second admin' --passphrase", "lets a second passphrase in"),
        Command.Example(
          "vaultctl slot add --label boot --key-file /etc/latchkey/boot.key", "makes a key file"),
      ])
  ) { context throws(CommandFailure) in
    let source = try SecretSource(context.line, keyFile: Options.newKeyFile, or: nil)
    let addition = SlotAddition(label: context.line[Options.label] ?? "", source: source)
    let result = try addition.run(context)
    let slot = ResultView(result)["slot"]
    return CommandOutput(json: result, blocks: [.text(["slot \(slot) opens the vault now"])])
  }

  static let slotRemove = Verb(
    "slot",
    Command(
      "remove", summary: "removes a slot, so that its secret opens nothing any more",
      discussion: "The last slot cannot be removed.",
      arguments: [Command.Argument("SLOT", help: "its number, as in `vaultctl slot list`")],
      examples: [Command.Example("vaultctl slot remove 2", "removes slot 2")])
  ) { context throws(CommandFailure) in
    let text = context.line.argument(0) ?? ""
    guard let slot = Int64(text), (0...0x7FFF_FFFF).contains(slot), text.first != "+" else {
      throw .usage("SLOT is the number of a slot", hint: "see `vaultctl slot list`")
    }
    let result = try context.call(.slotRemove(SlotRemoveParams(slot: slot)))
    return CommandOutput(json: result, blocks: [.text(["slot \(slot) is removed"])])
  }
}
