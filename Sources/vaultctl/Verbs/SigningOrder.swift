import CommandLineOptions
import VaultAPI

/// One signature to ask for, and where to put it.
struct SigningOrder: Sendable {
  private let params: KeySignParams
  private let target: SignatureTarget

  /// Reads the command line and the message.
  init(_ line: ParsedCommand) throws(CommandFailure) {
    let name = try line.namespace()
    let format = line[Options.signatureFormat] ?? .der
    target = try SignatureTarget(line)
    if let digest = line[Options.digest] {
      params = KeySignParams(namespace: name, digest: digest, format: format)
    } else if let path = line[Options.message] {
      let message = try FileInput.read(
        path, limit: VaultLimits.signedMessageOctets,
        tooLong: "sign its digest instead: --digest \"$(sha256sum < FILE | cut -c-64)\"")
      params = KeySignParams(namespace: name, message: message, format: format)
    } else {
      throw .usage("one of --message FILE, --digest HEX is missing")
    }
  }

  /// Asks for it and puts it where it belongs.
  func run(_ context: CallContext) throws(CommandFailure) -> CommandOutput {
    try target.output(try context.call(.keySign(params)), params.format)
  }
}
