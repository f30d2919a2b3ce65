import CommandLineOptions

extension Verb {
  static let initialise = Verb(
    Command(
      "init", summary: "makes a new vault; no daemon is needed",
      discussion: """
        The directory is made whole or not at all, so the one above it must be writable. The vault \
        opens with a passphrase or a key file, and with the recovery key unless --no-recovery \
        waives it. Key files are new files that only their owner can read; nothing is ever \
        overwritten.

        Run it as the user that vaultd runs as. A new passphrase is asked for twice.
        """,
      options: [
        .add(Options.data), .add(Options.passphrase), .add(Options.passphraseInput),
        .add(Options.passphraseDescriptor), .add(Options.newKeyFile), .add(Options.recoveryFile),
        .add(Options.noRecovery), .add(Options.admin),
      ],
      exclusive: [Options.secretSources, ["recovery-file", "no-recovery"]],
      examples: [
        Command.Example(
          "vaultctl init --data /var/lib/latchkey/vault --passphrase \\\n"
            + "      --recovery-file /media/usb/recovery.key --admin alice",
          "makes a vault that a passphrase opens"),
        Command.Example(
          "vaultctl init --data /var/lib/latchkey/vault \\\n"
            + "      --key-file /etc/latchkey/vault.key --no-recovery --admin group:wheel",
          "makes one that a key file opens"),
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    guard line[Options.socket] == nil, line[Options.runtime] == nil, line[Options.timeout] == nil
    else { throw .usage("init talks to no daemon: --socket, --runtime and --timeout mean nothing") }
    let plan = try InitialisePlan(line)
    return InitialiseReport.output(try VaultMaker.make(plan), plan)
  }
}
