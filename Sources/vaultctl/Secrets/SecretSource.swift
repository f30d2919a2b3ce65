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

  /// Finds the source among the options.
  ///
  /// - Parameters:
  ///   - invocation: what was typed.
  ///   - keyFile: the option for a key file.
  ///   - fallback: what it is when none was given; a usage error when `nil`.
  init(
    _ invocation: Invocation, keyFile: OptionSpec, or fallback: OptionSpec?
  ) throws(CommandFailure) {
    switch try invocation.one(of: OptionSpec.passphrases + [keyFile], or: fallback) {
    case .passphrase: self = .terminal
    case .passphraseInput: self = .descriptor(0)
    case .passphraseDescriptor:
      let number = try invocation.integer(.passphraseDescriptor, in: 0...65_535) ?? 0
      self = .descriptor(Int32(number))
    default:
      let path = try invocation.required(keyFile)
      guard !path.isEmpty else { throw .usage("\(keyFile.name) takes the path of a file") }
      self = .keyFile(path)
    }
  }

  /// Whether it is a key file, not a passphrase.
  var isKeyFile: Bool {
    guard case .keyFile = self else { return false }
    return true
  }

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
