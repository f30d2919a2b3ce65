import CommandLineOptions
import VaultAPI
import WireCoding

/// One signature to ask for, and where to put it.
struct SigningOrder: Sendable {
  private let params: KeySignParams
  private let target: String?

  /// Reads the command line and the message.
  init(_ line: ParsedCommand) throws(CommandFailure) {
    let name = try line.namespace()
    let format = line[Options.signatureFormat] ?? .der
    target = line[Options.out]
    if let target, target != "-" { try FileOutput.checkFree(target) }
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
    let result = try context.call(.keySign(params))
    guard let text = result["signature"]?.text, let signature = try? Base64.decode(text) else {
      throw CommandFailure(.protocolMismatch, "the answer holds no signature")
    }
    switch target {
    case nil: return CommandOutput(json: result, blocks: [.text([text])])
    case "-": return CommandOutput(json: result, octets: signature)
    case let path?:
      try FileOutput.create(path, signature)
      return CommandOutput(
        json: result,
        blocks: [.text(["\(path): \(signature.count) bytes, \(params.format.rawValue)"])])
    }
  }
}
