/// All commands, in the order the help lists them.
enum CommandTable {
  static let commands: [Command] = [
    .initialise, .unseal, .seal, .status,
    .slotList, .slotAdd, .slotRemove,
    .namespaceCreate, .namespaceGet, .namespaceList, .namespaceRevoke,
    .keyPublic, .keyList, .keySign,
    .passStore, .passInfo, .passDelete,
    .call,
  ]

  /// The first words that several commands share, with what they are about.
  static let groups: [(name: String, summary: String)] = [
    ("slot", "the ways the vault can be unsealed"),
    ("namespace", "the names that keys and passes belong to"),
    ("key", "public keys and signatures"),
    ("pass", "unlock passes"),
  ]

  /// The commands whose words begin with these.
  static func commands(under path: [String]) -> [Command] {
    commands.filter { $0.path.starts(with: path) }
  }

  /// The command with exactly these words.
  static func command(_ path: [String]) -> Command? {
    commands.first { $0.path == path }
  }
}
