import CommandLineOptions
import SecureMemory
import VaultAPI

/// Where a secret comes from; never the command line, never the environment.
enum SecretSource: Equatable, Sendable {
  /// A passphrase typed on the terminal.
  case terminal
  /// A passphrase from an open descriptor.
  case descriptor(Int32)
  /// A key file: to be read, or to be made.
  case keyFile(String)

  /// Finds the source among the options, of which at most one was given.
  ///
  /// - Parameters:
  ///   - line: what was typed.
  ///   - keyFile: the option for a key file.
  ///   - fallback: what it is when none was given; a usage error when `nil`.
  /// - Throws: ``CommandFailure`` ``ExitCode/usage`` when none was given and one must be.
  init(
    _ line: ParsedCommand, keyFile: Option<String>, or fallback: SecretSource?
  ) throws(CommandFailure) {
    if line[Options.passphrase] {
      self = .terminal
    } else if line[Options.passphraseInput] {
      self = .descriptor(0)
    } else if let number = line[Options.passphraseDescriptor] {
      self = .descriptor(Int32(number))
    } else if let path = line[keyFile] {
      self = .keyFile(path)
    } else if let fallback {
      self = fallback
    } else {
      throw .usage(
        "one of --passphrase, --passphrase-stdin, --passphrase-fd N, --key-file PATH is missing")
    }
  }

  /// Whether it is a key file, not a passphrase.
  var isKeyFile: Bool {
    guard case .keyFile = self else { return false }
    return true
  }

  /// Whether it is read from standard input.
  var isStandardInput: Bool { self == .descriptor(0) || self == .keyFile("-") }

  /// Reads a secret that exists.
  func existing() throws(CommandFailure) -> SecretBox {
    switch self {
    case .terminal: SecretBox(try PassphraseReader.ask("Passphrase: "))
    case .descriptor(let number): SecretBox(try PassphraseReader.read(number, "Passphrase: "))
    case .keyFile(let path): SecretBox(try KeyFileReader.read(path))
    }
  }

  /// Reads a new passphrase, typed twice on a terminal; key files are made elsewhere.
  func newPassphrase() throws(CommandFailure) -> SecretBytes {
    switch self {
    case .terminal: return try PassphraseReader.askTwice()
    case .descriptor(let number): return try PassphraseReader.read(number, "New passphrase: ")
    case .keyFile: throw .usage("a passphrase is needed")
    }
  }
}
