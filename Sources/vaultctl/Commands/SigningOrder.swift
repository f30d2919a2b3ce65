import VaultAPI
import WireCoding

/// One signature to ask for, and where to put it.
struct SigningOrder: Sendable {
  private let params: KeySignParams
  private let target: String?

  /// Reads the arguments and the message.
  init(_ invocation: Invocation) throws(CommandFailure) {
    let name = try invocation.namespace()
    let format = try invocation.choice(.signatureFormat, as: SignatureFormat.self) ?? .der
    target = invocation.value(.out)
    if let target, target != "-" { try FileOutput.checkFree(target) }
    switch try invocation.one(of: [.message, .digest]) {
    case .message:
      let message = try FileInput.read(
        try invocation.required(.message), limit: VaultLimits.signedMessageOctets,
        tooLong: "sign its digest instead: --digest \"$(sha256sum < FILE | cut -c-64)\"")
      params = KeySignParams(namespace: name, message: message, format: format)
    default:
      let text = try invocation.required(.digest)
      guard let digest = try? Hex.decode(text, acceptingUpperCase: true), digest.count == 32 else {
        throw .usage("--digest takes the 64 hex digits of a SHA-256 digest")
      }
      params = KeySignParams(namespace: name, digest: digest, format: format)
    }
  }

  /// Asks for it and puts it where it belongs.
  func run(_ context: CommandContext) throws(CommandFailure) -> CommandOutput {
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
        json: result, blocks: [.text(["\(path): \(signature.count) bytes, \(params.format.rawValue)"])])
    }
  }
}
