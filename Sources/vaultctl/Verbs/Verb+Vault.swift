import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let status = Verb(
    Command(
      "status", summary: "shows whether the vault is unsealed, and how it fares",
      discussion: "A sealed vault answers too: the exit status is 0 whenever there is an answer.",
      examples: [
        Command.Example("vaultctl status", "shows everything"),
        Command.Example("vaultctl status --json | jq -r .state", "gives a script the state alone"),
      ])
  ) { context throws(CommandFailure) in
    let result = try context.call(.status)
    return CommandOutput(json: result, blocks: [StatusView.block(result)])
  }

  static let metrics = Verb(
    Command(
      "metrics", summary: "writes what the daemon counts and measures, for Prometheus",
      discussion: """
        The text format is 0.0.4; vaultd(8) lists the metrics. No label holds the name of a \
        namespace.
        """,
      examples: [
        Command.Example("vaultctl metrics", "shows all of them"),
        Command.Example(
          "vaultctl metrics > /var/lib/node_exporter/latchkey.prom",
          "leaves them to the text file collector of the node exporter"),
      ])
  ) { context throws(CommandFailure) in
    let result = try context.call(.vaultMetrics)
    guard let text = result["text"]?.text else {
      throw CommandFailure(.protocolMismatch, "the answer holds no text")
    }
    let lines = text.split(separator: "\n").map(String.init)
    return CommandOutput(json: result, blocks: [.text(lines)])
  }

  static let seal = Verb(
    Command(
      "seal", summary: "forgets all keys until the vault is unsealed again",
      examples: [Command.Example("vaultctl seal", "closes the vault")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.seal)
    return CommandOutput(json: result, blocks: [.text(["the vault is sealed"])])
  }

  static let unseal = Verb(
    Command(
      "unseal", summary: "opens the vault with the secret of one of its slots",
      discussion: """
        Without an option that says where the secret comes from, a passphrase is asked for on the \
        terminal. A wrong secret and a damaged slot end with different exit statuses, 10 and 11.
        """,
      options: [
        .add(Options.passphrase), .add(Options.passphraseInput),
        .add(Options.passphraseDescriptor), .add(Options.keyFile), .add(Options.slot),
      ],
      exclusive: [Options.secretSources],
      examples: [
        Command.Example("vaultctl unseal", "asks for the passphrase"),
        Command.Example(
          "vaultctl unseal --key-file /etc/latchkey/vault.key", "opens it with a key file"),
        Command.Example(
          "vaultctl unseal --slot 2 --passphrase-stdin < passphrase.txt", "tries one slot"),
      ])
  ) { context throws(CommandFailure) in
    let source = try SecretSource(context.line, keyFile: Options.keyFile, or: .terminal)
    let secret = try source.existing()
    let slot = context.line[Options.slot].map { Int64($0) }
    let params =
      source.isKeyFile
      ? UnsealParams(key: secret, slot: slot) : UnsealParams(passphrase: secret, slot: slot)
    let result = try context.call(.unseal(params), timeout: CallContext.slowTimeout)
    let view = ResultView(result)
    return CommandOutput(
      json: result,
      blocks: [.text(["the vault is unsealed, by slot \(view["slot"]) (\(view["kind"]))"])])
  }
}
