import Glibc
import SecureMemory
import VaultAPI
import WireCoding

/// Reads passes, whose resolving keys are secret: from the file into guarded memory, and from there
/// into the call, with no copy elsewhere.
enum PassInput {
  /// Reads a pass.
  ///
  /// - Parameter path: where it is; `-` is standard input.
  /// - Returns: the pass; its form is checked as the vault checks it, and nothing else.
  /// - Throws: ``CommandFailure`` with the words of the vault for a member that is wrong.
  static func read(_ path: String) throws(CommandFailure) -> PassContent {
    let name = FileInput.name(of: path)
    let limit = VaultLimits.requestOctets
    let descriptor = path == "-" ? STDIN_FILENO : try FileInput.open(path)
    defer { if path != "-" { close(descriptor) } }
    let text = try GuardedRead.all(descriptor, capacity: limit + 1, named: name)
    guard text.count <= limit else {
      throw CommandFailure(.badData, "\(name) has more than \(limit) bytes")
    }
    return try text.withBytes { octets throws(CommandFailure) in
      try parse(octets, named: name)
    }
  }

  private static func parse(
    _ octets: Span<UInt8>, named name: String
  ) throws(CommandFailure) -> PassContent {
    var reader = JSONReader(octets)
    let pass: PassContent
    do throws(VaultAPIError) {
      pass = try PassContent(from: &reader)
    } catch {
      switch error {
      case .syntax(let fault, let offset): throw FileInput.notJSON(name, fault, offset)
      case .parameter(path: "", _, _): throw FileInput.notAnObject(name)
      case .noSecretMemory: throw CommandFailure(SecureMemoryError.unavailable)
      // What the vault would answer, had it been sent.
      default: throw CommandFailure(ServerFailure(RPCError(error.inside("pass"))))
      }
    }
    do throws(WireCodingError) { try reader.finish() } catch {
      guard case .json(let fault, let offset) = error else { throw FileInput.notAnObject(name) }
      throw FileInput.notJSON(name, fault, offset)
    }
    return pass
  }
}
