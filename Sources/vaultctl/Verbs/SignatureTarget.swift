import CommandLineOptions
import VaultAPI
import WireCoding

/// Where a signature goes.
struct SignatureTarget: Sendable {
  private let path: String?

  /// Reads the command line, and makes sure before anything is signed that the file can be made.
  init(_ line: ParsedCommand) throws(CommandFailure) {
    path = line[Options.out]
    if let path, path != "-" { try FileOutput.checkFree(path) }
  }

  /// Puts the signature of a result where it belongs.
  func output(
    _ result: JSONValue, _ format: SignatureFormat
  ) throws(CommandFailure) -> CommandOutput {
    guard let text = result["signature"]?.text, let signature = try? Base64.decode(text) else {
      throw CommandFailure(.protocolMismatch, "the answer holds no signature")
    }
    switch path {
    case nil: return CommandOutput(json: result, blocks: [.text([text])])
    case "-": return CommandOutput(json: result, octets: signature)
    case let path?:
      try FileOutput.create(path, signature)
      return CommandOutput(
        json: result, blocks: [.text(["\(path): \(signature.count) bytes, \(format.rawValue)"])])
    }
  }
}
