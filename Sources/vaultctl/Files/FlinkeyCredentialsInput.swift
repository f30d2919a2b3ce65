import CommandLineOptions
import Glibc
import SecureMemory
import VaultAPI
import WireCoding

/// Reads what a tenant has from the vendor's portal, from a file or from the terminal, straight into
/// guarded memory.
enum FlinkeyCredentialsInput {
  /// As much as the longest credentials take as JSON, every octet of them escaped.
  private static let limit = 32 << 10

  /// Reads credentials from where the options say.
  static func read(
    _ line: ParsedCommand
  ) throws(CommandFailure) -> FlinkeyPortalCredentials {
    var credentials: FlinkeyPortalCredentials
    if let path = line[Options.flinkeyCredentials] {
      credentials = try read(path)
    } else if let customer = line[Options.flinkeyCustomer] {
      credentials = FlinkeyPortalCredentials(
        apiKey: try ask("flinkey API key: ", VaultLimits.flinkeyAPIKeyOctets),
        userName: try ask("API Manager user: ", VaultLimits.flinkeyUserNameOctets),
        password: try ask("Password: ", VaultLimits.flinkeyPasswordOctets),
        sdkKey: try ask("SDK key: ", VaultLimits.flinkeySDKKeyOctets),
        customerID: Int64(customer))
    } else {
      throw .usage("one of --credentials FILE, --customer-id N is missing")
    }
    if line[Options.flinkeyDrop] { credentials.dropTokens = true }
    return credentials
  }

  private static func read(_ path: String) throws(CommandFailure) -> FlinkeyPortalCredentials {
    let name = FileInput.name(of: path)
    let text = try SecretTextInput.read(path, limit: limit)
    do throws(VaultAPIError) {
      return try text.bytes.withBytes { octets throws(VaultAPIError) in
        var reader = JSONReader(octets)
        let credentials = try FlinkeyPortalCredentials(from: &reader)
        do throws(WireCodingError) { try reader.finish() } catch {
          throw .syntax(.trailingBytes, offset: reader.offset)
        }
        return credentials
      }
    } catch {
      switch error {
      case .syntax(let fault, let offset): throw FileInput.notJSON(name, fault, offset)
      case .parameter(let path, let fault, _):
        throw CommandFailure(
          .badData, "\(name): \(path.isEmpty ? "the text" : path) \(fault.words)")
      case .noSecretMemory: throw CommandFailure(.failure, "no locked memory is left")
      case .notAnAnswer: throw FileInput.notAnObject(name)
      }
    }
  }

  private static func ask(
    _ prompt: String, _ range: ClosedRange<Int>
  ) throws(CommandFailure) -> SecretBox {
    let line = try TerminalPrompt.ask(
      prompt, capacity: range.upperBound + 2, for: "the secrets", hint: "use --credentials FILE")
    let count = line.withBytes { octets in
      octets.count > 0 && octets[octets.count - 1] == UInt8(ascii: "\n")
        ? octets.count - 1 : octets.count
    }
    guard range.contains(count) else {
      throw CommandFailure(
        .badData, "\(range.lowerBound) to \(range.upperBound) bytes were asked for")
    }
    // It travels as a JSON string, which holds UTF-8 and no U+0000.
    let isText = line.withBytes { octets in
      (try? UTF8Span(validating: octets)) != nil && octets.indices.allSatisfy { octets[$0] != 0 }
    }
    guard isText else { throw CommandFailure(.badData, "what was typed is not UTF-8 text") }
    return SecretBox(try GuardedRead.first(count, of: line))
  }
}
