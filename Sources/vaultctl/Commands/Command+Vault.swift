import VaultAPI

extension Command {
  static let status = Command(
    path: ["status"], summary: "show whether the vault is unsealed, and how it fares",
    details: ["A sealed vault answers too: the exit code is 0 whenever there is an answer."],
    examples: ["vaultctl status", "vaultctl status --json | jq -r .state"]
  ) { context throws(CommandFailure) in
    let result = try context.call(.status)
    return CommandOutput(json: result, blocks: [StatusView.block(result)])
  }

  static let seal = Command(
    path: ["seal"], summary: "forget all keys until the vault is unsealed again",
    examples: ["vaultctl seal"]
  ) { context throws(CommandFailure) in
    let result = try context.call(.seal)
    return CommandOutput(json: result, blocks: [.text(["the vault is sealed"])])
  }

  static let unseal = Command(
    path: ["unseal"], summary: "open the vault with the secret of one of its slots",
    options: OptionSpec.passphrases + [.keyFile, .slot],
    details: [
      "Without an option that says where the secret comes from, a passphrase is asked for on the"
        + " terminal. A secret is never taken from the command line or the environment.",
      "A wrong secret and a damaged slot end with different exit codes, 10 and 11.",
    ],
    examples: [
      "vaultctl unseal", "vaultctl unseal --key-file /etc/latchkey/vault.key",
      "vaultctl unseal --slot 2 --passphrase-stdin < passphrase.txt",
    ]
  ) { context throws(CommandFailure) in
    let invocation = context.invocation
    let slot = try invocation.integer(.slot, in: 0...0x7FFF_FFFF)
    let source = try SecretSource(invocation, keyFile: .keyFile, or: .passphrase)
    let secret = try source.existing()
    let params =
      source.isKeyFile
      ? UnsealParams(key: secret, slot: slot) : UnsealParams(passphrase: secret, slot: slot)
    let result = try context.call(.unseal(params), timeout: CommandContext.slowTimeout)
    let view = ResultView(result)
    return CommandOutput(
      json: result,
      blocks: [.text(["the vault is unsealed, by slot \(view["slot"]) (\(view["kind"]))"])])
  }
}

extension OptionSpec {
  static let keyFile = OptionSpec(
    name: "--key-file", value: "PATH", help: "read a key file; - is standard input")
  static let slot = OptionSpec(name: "--slot", value: "N", help: "try this slot only")
}
