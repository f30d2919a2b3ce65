extension Command {
  static let initialise = Command(
    path: ["init"], summary: "make a new vault; no daemon is needed",
    options: [.data] + OptionSpec.passphrases + [.newKeyFile, .recoveryFile, .noRecovery, .admin],
    details: [
      "The directory is made whole or not at all. The vault opens with a passphrase or a key file,"
        + " and with the recovery key unless --no-recovery waives it. Key files are new files that"
        + " only their owner can read; nothing is ever overwritten.",
      "--admin names who may use admin commands at first, by user or group of this machine.",
      "A secret is never taken from the command line or the environment. A new passphrase is asked"
        + " for twice.",
    ],
    examples: [
      "vaultctl init --data /var/lib/latchkey --passphrase"
        + " --recovery-file /media/usb/recovery.key --admin alice",
      "vaultctl init --data /var/lib/latchkey --key-file /etc/latchkey/vault.key"
        + " --no-recovery --admin group:wheel",
    ],
    connects: false
  ) { context throws(CommandFailure) in
    let plan = try InitialisePlan(context.invocation)
    return InitialiseReport.output(try VaultMaker.make(plan), plan)
  }
}
