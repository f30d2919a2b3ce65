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
        terminal. A wrong secret and a damaged slot end with different exit statuses, 10 and 11. \
        With --checkpoint the vault stays sealed unless its audit log goes on from that line: \
        whoever put the whole data directory back to an older state cannot have put that back too.
        """,
      options: [
        .add(Options.passphrase), .add(Options.passphraseInput),
        .add(Options.passphraseDescriptor), .add(Options.keyFile), .add(Options.slot),
        .add(Options.checkpoint),
      ],
      exclusive: [Options.secretSources],
      examples: [
        Command.Example("vaultctl unseal", "asks for the passphrase"),
        Command.Example(
          "vaultctl unseal --key-file /etc/latchkey/vault.key", "opens it with a key file"),
        Command.Example(
          "vaultctl unseal --slot 2 --passphrase-stdin < passphrase.txt", "tries one slot"),
        Command.Example(
          "vaultctl unseal --checkpoint newest.json",
          "only if the log goes on from what `vaultctl audit checkpoint` gave"),
      ])
  ) { context throws(CommandFailure) in
    let source = try SecretSource(context.line, keyFile: Options.keyFile, or: .terminal)
    let checkpoint = try keptCheckpoint(context.line, source)
    let secret = try source.existing()
    let slot = context.line[Options.slot].map { Int64($0) }
    let params =
      source.isKeyFile
      ? UnsealParams(key: secret, slot: slot, checkpoint: checkpoint)
      : UnsealParams(passphrase: secret, slot: slot, checkpoint: checkpoint)
    let result = try context.call(.unseal(params), timeout: CallContext.slowTimeout)
    let view = ResultView(result)
    return CommandOutput(
      json: result,
      blocks: [.text(["the vault is unsealed, by slot \(view["slot"]) (\(view["kind"]))"])])
  }

  /// Reads the checkpoint that `unseal` shall compare the log with.
  private static func keptCheckpoint(
    _ line: ParsedCommand, _ source: SecretSource
  ) throws(CommandFailure) -> String? {
    guard let path = line[Options.checkpoint] else { return nil }
    guard path != "-" || !source.isStandardInput else {
      throw .usage("the checkpoint and the secret cannot both come from standard input")
    }
    let octets = try FileInput.read(path, limit: VaultLimits.checkpointOctets + 1)
    let lines = octets.split(separator: UInt8(ascii: "\n"))
    guard lines.count == 1,
      let text = lines.first.flatMap({ String(validating: $0, as: UTF8.self) })
    else {
      throw CommandFailure(.badData, "\(FileInput.name(of: path)) is not one line of text")
    }
    return text
  }
}
