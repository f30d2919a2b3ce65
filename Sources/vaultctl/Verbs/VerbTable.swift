import CommandLineOptions

/// All commands, in the order the help lists them.
enum VerbTable {
  static let verbs: [Verb] = [
    .initialise, .unseal, .seal, .status, .metrics,
    .slotList, .slotAdd, .slotRemove,
    .clockAccept, .clockSetFloor,
    .namespaceCreate, .namespaceGet, .namespaceList, .namespaceConfigure,
    .namespaceSuspend, .namespaceResume, .namespaceRevoke,
    .keyPublic, .keyList, .keySign,
    .passStore, .passInfo, .passDelete,
    .presentationMatch, .presentationSign, .present,
    .nokeStore, .nokeInfo, .nokeUnlock, .nokeReport, .nokePromote, .nokeDemote, .nokeDelete,
    .biqliOpen, .biqliInstance, .biqliCapture, .biqliBegin, .biqliComplete, .biqliFail,
    .biqliCached, .biqliWindow, .biqliPending, .biqliReset,
    .flinkeyStore, .flinkeyBox, .flinkeyToken, .flinkeyBlock, .flinkeyUnblock, .flinkeyForget,
    .flinkeyBoxID, .flinkeyRenewBegin, .flinkeyRenewComplete,
    .policyShow, .policyEdit, .policyApply, .policyExplain,
    .auditTail, .auditExport, .auditVerify, .auditArchive, .auditCheckpoint,
    .call,
  ]

  /// The first words that several commands share, with what they are about.
  static let groups: [(name: String, summary: String)] = [
    ("slot", "the ways in which the vault can be unsealed"),
    ("clock", "the time that the vault goes by"),
    ("namespace", "the names that keys and passes belong to"),
    ("key", "public keys and signatures"),
    ("pass", "unlock passes"),
    ("presentation", "readers nearby, and signatures for them"),
    ("noke", "Nokē locks that are opened without a network"),
    ("biqli", "what installations of apps keep for Biqli"),
    ("flinkey", "tokens of flinkey and Tapkey, and boxes"),
    ("policy", "who may do what"),
    ("audit", "the audit log, and what proves it"),
  ]

  /// The whole command line.
  static let root = Command(
    "vaultctl", summary: "sets up and uses a Latchkey vault",
    discussion: """
      Admin commands use DIR/admin/vault.sock below the runtime directory, the others \
      DIR/client/vault.sock, or the admin socket when that one is out of reach. No secret is ever \
      taken from the command line or the environment.

      Exit status:
      \(ExitCode.table)
      """,
    options: [
      .add(Options.socket), .add(Options.runtime), .add(Options.timeout), .add(Options.json),
    ],
    exclusive: [["socket", "runtime"]],
    subcommands: topCommands,
    examples: [
      Command.Example(
        "vaultctl init --data /var/lib/latchkey/vault --passphrase \\\n"
          + "      --recovery-file /media/usb/recovery.key --admin alice", "makes a vault"),
      Command.Example("vaultctl unseal", "opens it, once vaultd runs"),
      Command.Example(
        "vaultctl key public demo/front-door", "makes a key and shows its public part"),
    ])

  /// The command with exactly these words.
  static func verb(_ path: some Collection<String>) -> Verb? {
    verbs.first { $0.path.elementsEqual(path) }
  }

  /// The words of the command that a line is about, as far as they can be told.
  static func path(in words: [String]) -> [String] {
    let names = words.filter { !$0.hasPrefix("-") }
    for name in names {
      if verb([name]) != nil { return [name] }
      guard groups.contains(where: { $0.name == name }) else { continue }
      return names.map { [name, $0] }.first { verb($0) != nil } ?? [name]
    }
    return []
  }

  private static var topCommands: [Command] {
    var commands: [Command] = []
    for verb in verbs {
      guard let name = verb.group else {
        commands.append(verb.command)
        continue
      }
      guard let group = groups.first(where: { $0.name == name }),
        !commands.contains(where: { $0.name == name })
      else { continue }
      let members = verbs.filter { $0.group == name }.map(\.command)
      commands.append(
        Command(
          name, summary: group.summary, subcommands: members,
          examples: members.flatMap { $0.examples.prefix(1) }))
    }
    return commands
  }
}
