/// An option of a command, as its help shows it.
struct OptionSpec: Equatable, Sendable {
  /// Its name with both dashes.
  let name: String
  /// What stands for its value in the help, `nil` for a switch.
  var value: String?
  /// What it does; no capital at the start, no full stop at the end.
  let help: String

  /// The name and the value's place, such as `--slot N`.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension OptionSpec {
  static let json = OptionSpec(name: "--json", help: "answer with JSON on one line")
  static let help = OptionSpec(name: "--help", help: "show this help")
  static let socket = OptionSpec(
    name: "--socket", value: "PATH", help: "the socket of the vault, whatever the command")
  static let runtime = OptionSpec(
    name: "--runtime", value: "DIR",
    help: "the directory with both sockets (default \(SocketChoice.defaultRuntime))")
  static let timeout = OptionSpec(
    name: "--timeout", value: "SECONDS", help: "how long to wait for an answer (default 30)")
  static let passphrase = OptionSpec(
    name: "--passphrase", help: "ask for a passphrase on the terminal, without echo")
  static let passphraseInput = OptionSpec(
    name: "--passphrase-stdin", help: "read the passphrase from standard input")
  static let passphraseDescriptor = OptionSpec(
    name: "--passphrase-fd", value: "N", help: "read the passphrase from file descriptor N")

  /// What every command that talks to the vault takes.
  static let connection: [OptionSpec] = [.socket, .runtime, .timeout, .json, .help]
  /// The three ways a passphrase comes in.
  static let passphrases: [OptionSpec] = [.passphrase, .passphraseInput, .passphraseDescriptor]
}
