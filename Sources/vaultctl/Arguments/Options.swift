import CommandLineOptions
import VaultAPI
import WireCoding

/// Every option of `vaultctl`, declared once for parsing, help and use.
enum Options {
  // Of every command.

  static let json = Option<Bool>.flag("json", help: "answers with JSON on one line")
  static let socket = Option<String>.text(
    "socket", value: "PATH", help: "the socket of the vault, whatever the command")
  static let runtime = Option<String>.text(
    "runtime", value: "DIR",
    help: "the directory with both sockets, \(SocketChoice.defaultRuntime) unless given")
  static let timeout = Option<Int>.number(
    "timeout", value: "SECONDS", help: "how long to wait for an answer, 30 unless given",
    in: 1...86_400)

  // Secrets.

  static let passphrase = Option<Bool>.flag(
    "passphrase", help: "asks for a passphrase on the terminal, without echo")
  static let passphraseInput = Option<Bool>.flag(
    "passphrase-stdin", help: "reads the passphrase from standard input")
  static let passphraseDescriptor = Option<Int>.number(
    "passphrase-fd", help: "reads the passphrase from an open file descriptor", in: 0...65_535)
  static let keyFile = Option<String>.text(
    "key-file", value: "PATH", help: "reads a key file; - is standard input")
  static let newKeyFile = Option<String>.text(
    "key-file", value: "PATH", help: "makes a new key file there")
  /// The names of the options that exclude each other, as a secret has one source.
  static let secretSources = ["passphrase", "passphrase-stdin", "passphrase-fd", "key-file"]

  // Making a vault.

  static let data = Option<String>.text(
    "data", value: "DIR", help: "the directory to make; it may exist if it is empty", .required)
  static let recoveryFile = Option<String>.text(
    "recovery-file", value: "PATH", help: "makes a recovery key there, a second way in")
  static let noRecovery = Option<Bool>.flag(
    "no-recovery", help: "makes no recovery key: a lost secret is then a lost vault")
  static let admin = Option<String>.text(
    "admin", value: "USER|GROUP",
    help: "the first admin, who may do everything: user:NAME, group:NAME, or the name of a user",
    .required)

  // Slots.

  static let label = Option<String>(
    "label", value: "TEXT", help: "what to call the slot", .required,
    kind: "a text of 1 to 64 bytes"
  ) { (1...64).contains($0.utf8.count) ? $0 : nil }
  static let slot = Option<Int>.number(
    "slot", help: "tries this slot only", in: 0...0x7FFF_FFFF)

  static let checkpoint = Option<String>.text(
    "checkpoint", value: "FILE",
    help: "a checkpoint of the audit log that was kept elsewhere; - is standard input")

  // Namespaces.

  static let prefix = Option<NamespacePrefix>(
    "prefix", value: "TEXT", help: "only names that begin with this",
    kind: "the beginning of a namespace name"
  ) { try? NamespacePrefix($0) }
  static let after = Option<NamespaceName>(
    "after", value: "NAMESPACE", help: "only names that come after this one",
    kind: "a namespace name"
  ) { try? NamespaceName($0) }
  static let limit = Option<Int>.number(
    "limit", help: "at most so many, 100 unless given", in: 1...Int(VaultLimits.pageLimit))

  static let revokedPrefix = Option<NamespaceName>(
    "prefix", value: "NAMESPACE", help: "revokes this name and every name below it",
    kind: "a namespace name"
  ) { try? NamespaceName($0) }

  static let userConfirmation = Option<UserConfirmation>.choice(
    "user-confirmation", value: "CHOICE",
    help: "whether a gateway may assert that the user has confirmed: allow or refuse", .required)

  // Keys.

  static let purpose = Option<PublicKeyPurpose>.choice(
    "purpose", value: "PURPOSE", help: "presentation, unless given, or signing")
  static let keyFormat = Option<PublicKeyFormat>.choice(
    "format", value: "FORMAT", help: "only the key, as point, spki or pem")
  static let message = Option<String>.text(
    "message", value: "FILE", help: "signs this file; - is standard input")
  static let digest = Option<[UInt8]>(
    "digest", value: "HEX", help: "signs this SHA-256 digest",
    kind: "the 64 hex digits of a SHA-256 digest"
  ) { text in
    let octets = try? Hex.decode(text, acceptingUpperCase: true)
    return octets?.count == 32 ? octets : nil
  }
  static let signatureFormat = Option<SignatureFormat>.choice(
    "format", value: "FORMAT", help: "how to write the signature: der, unless given, or raw")
  static let out = Option<String>.text(
    "out", value: "FILE", help: "writes the signature there, a new file; - is standard output")

  // Presentations.

  static let advertisement = Option<String>.text(
    "advertisement", value: "HEX|FILE",
    help: "what the reader advertises, 31 bytes: as hex digits, or a file with either; - is "
      + "standard input", .required)
  static let address = Option<[UInt8]>(
    "address", value: "ADDRESS", help: "the Bluetooth address it comes from", .required,
    kind: "an address such as AA:BB:CC:DD:EE:FF"
  ) { text in
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let octets = parts.compactMap { part in
      part.utf8.count == 2 ? try? Hex.decode(String(part), acceptingUpperCase: true) : nil
    }
    return parts.count == 6 && octets.count == 6 ? octets.flatMap { $0 } : nil
  }

  // Simulations.

  static let simulate = Option<Bool>.flag(
    "simulate", help: "makes up the lock and a pass for it; there is no other way yet")
  static let transport = Option<PresentationTransport>.choice(
    "transport", value: "TRANSPORT", help: "ble, unless given, or nfc")
  static let intent = Option<PresentationIntent>(
    "intent", value: "INTENT", help: "unsecure, unless given, or secure",
    kind: "one of unsecure, secure"
  ) { PresentationIntent(rawValue: $0).flatMap { $0 == .approach ? nil : $0 } }
  static let certificate = Option<Bool>.flag(
    "certificate", help: "lets the lock prove itself by a certificate")
  static let stepUp = Option<Bool>.flag(
    "step-up", help: "lets the lock ask to see the access document")
  static let fast = Option<Bool>.flag(
    "fast", help: "lets them meet a second time, in the fast form")
  static let octets = Option<Bool>.flag(
    "octets", help: "shows messages whole instead of their beginnings")
}

extension Options {
  // The policy.

  static let dryRun = Option<Bool>.flag("dry-run", help: "only looks at it, and changes nothing")
  static let replacedRevision = Option<Int>.number(
    "revision", help: "only if this revision is in force",
    in: 1...Int(VaultLimits.numbers.upperBound))
  static let user = Option<String>.text("user", value: "USER", help: "the user, by name or number")
  static let group = Option<String>.text(
    "group", value: "GROUP", help: "a group, by name or number, the effective one first", .repeated)
  static let unit = Option<String>.text(
    "unit", value: "UNIT", help: "the systemd unit, such as gateway.service")
  static let callSocket = Option<CallSocket>.choice(
    "by", value: "SOCKET", help: "the socket it comes in by: admin, unless given, or client")
  static let auditNumber = Option<Int>.number(
    "seq", help: "the number of an audit line", in: 1...Int(VaultLimits.numbers.upperBound))
}
