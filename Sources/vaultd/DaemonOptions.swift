import CommandLineOptions

/// What the daemon's command line says.
struct DaemonOptions {
  private static let dataOption = Option<String>.text(
    "data", short: "d", value: "DIR", help: "the data directory, made with 'vaultctl init'",
    .required)
  private static let runtimeOption = Option<String>.text(
    "runtime", short: "r", value: "DIR",
    help: "the directory of the sockets (otherwise /run/latchkey); unused when systemd passes them")
  private static let configurationOption = Option<String>.text(
    "config", short: "c", value: "FILE", help: "the configuration file")
  private static let keyFileOption = Option<String>.text(
    "key-file", short: "k", value: "PATH", help: "unseals with a key file at the start")
  private static let credentialOption = Option<String>.text(
    "credential", value: "NAME", help: "unseals with a systemd credential at the start")
  private static let rootOption = Option<Bool>.flag(
    "allow-root", help: "runs even as root, which is refused otherwise")

  /// What parsing and help go by.
  static let command = Command(
    "vaultd", summary: "keeps keys and answers on two local sockets",
    discussion: """
      Clients connect to client/vault.sock and administrators to admin/vault.sock below the \
      runtime directory. Without a key the daemon starts sealed. SIGTERM and SIGINT end it in \
      order.

      Exit status:
         0  ended in order
      \(DaemonFailure.Status.table)
      """,
    options: [
      .add(dataOption), .add(runtimeOption), .add(configurationOption), .add(keyFileOption),
      .add(credentialOption), .add(rootOption),
    ],
    exclusive: [["key-file", "credential"]],
    examples: [
      Command.Example(
        "vaultd --data /var/lib/latchkey/vault --runtime /run/latchkey", "serves, sealed at first"),
      Command.Example(
        "vaultd -d vault -r run --key-file vault.key", "unseals with a key file at the start"),
    ])

  /// The data directory.
  let data: String
  /// The directory of the sockets.
  let runtime: String
  /// The configuration file.
  let configuration: String?
  /// The key file to unseal with at the start.
  let keyFile: String?
  /// The systemd credential to unseal with at the start.
  let credential: String?
  /// Whether running as root is meant.
  let allowsRoot: Bool

  /// Parses the words after the program's name.
  static func parse(_ words: [String]) throws(DaemonFailure) -> ParsingOutcome {
    try orUsage { () throws(CommandLineError) in try command.parse(words) }
  }

  /// Reads the options of a command line that was parsed.
  static func read(_ parsed: ParsedCommand) throws(DaemonFailure) -> DaemonOptions {
    try orUsage { () throws(CommandLineError) in try DaemonOptions(parsed) }
  }

  private static func orUsage<Value>(
    _ body: () throws(CommandLineError) -> Value
  ) throws(DaemonFailure) -> Value {
    do throws(CommandLineError) { return try body() } catch {
      throw DaemonFailure(.usage, "\(error); see vaultd --help")
    }
  }

  private init(_ parsed: ParsedCommand) throws(CommandLineError) {
    data = try parsed.require(Self.dataOption)
    runtime = parsed[Self.runtimeOption] ?? "/run/latchkey"
    configuration = parsed[Self.configurationOption]
    keyFile = parsed[Self.keyFileOption]
    credential = parsed[Self.credentialOption]
    allowsRoot = parsed[Self.rootOption]
  }
}
