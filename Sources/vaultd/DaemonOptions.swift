import CommandLineOptions

/// The daemon's command line.
struct DaemonOptions {
  /// Where the key comes from that opens the vault at start.
  enum KeySource: Equatable {
    /// The vault stays sealed until an administrator opens it.
    case none
    /// A file with the key.
    case file(String)
    /// A systemd credential, by its name.
    case credential(String)
  }

  private static let data = Option<String>.text(
    "data", short: "d", value: "DIR", help: "the data directory", .required)
  private static let runtime = Option<String>.text(
    "runtime", short: "r", value: "DIR",
    help: "the directory of the sockets; not needed when systemd passes them")
  private static let config = Option<String>.text(
    "config", short: "c", value: "FILE", help: "the configuration file; its keys are all optional")
  private static let keyFile = Option<String>.text(
    "key-file", short: "k", value: "PATH", help: "opens the vault with the key in a file")
  private static let credential = Option<String>.text(
    "credential", value: "NAME", help: "opens the vault with the key in a systemd credential")
  private static let allowRoot = Option<Bool>.flag(
    "allow-root", help: "runs even as root, which is refused otherwise")

  /// What parsing and help go by.
  static let command = Command(
    "vaultd", summary: "keeps keys and answers on two local sockets",
    discussion: """
      Clients connect to DIR/client/vault.sock, administrators to DIR/admin/vault.sock below the \
      runtime directory. Without a key the daemon starts sealed. SIGTERM and SIGINT end it in \
      order.

      Exit status:
      \(ExitStatus.table)
      """,
    options: [
      .add(data), .add(runtime), .add(config), .add(keyFile), .add(credential), .add(allowRoot),
    ],
    exclusive: [["key-file", "credential"]],
    examples: [
      Command.Example(
        "vaultd --data /var/lib/latchkey --runtime /run/latchkey", "serves, sealed at first"),
      Command.Example(
        "vaultd -d vault -r run --key-file vault.key", "opens the vault with a key file at start"),
    ])

  let data: String
  let runtime: String?
  let config: String?
  let keySource: KeySource
  let allowsRoot: Bool

  init(_ parsed: ParsedCommand) throws(CommandLineError) {
    data = try parsed.require(Self.data)
    runtime = parsed[Self.runtime]
    config = parsed[Self.config]
    allowsRoot = parsed[Self.allowRoot]
    keySource =
      parsed[Self.keyFile].map { .file($0) } ?? parsed[Self.credential].map { .credential($0) }
      ?? .none
  }

  /// The runtime directory, for when systemd has passed no sockets.
  func requireRuntime() throws(CommandLineError) -> String {
    guard let runtime else { throw .missingOption("--runtime DIR") }
    return runtime
  }
}
