import Glibc
import SecureMemory
import VaultCore

/// Reads key files from their path or standard input.
enum KeyFileReader {
  /// The octets of a key file, and one more to see that there is too much.
  private static let capacity = 81

  /// Reads a key file.
  ///
  /// - Parameter path: where it is; `-` is standard input.
  /// - Returns: its 32 octets.
  /// - Throws: ``CommandFailure`` when it cannot be read, is no key file, or is not private.
  static func read(_ path: String) throws(CommandFailure) -> SecretBytes {
    do throws(LedgerError) {
      guard path == "-" else { return try KeyFile.read(path) }
    } catch {
      throw CommandFailure(error, path: path)
    }
    let text = try GuardedRead.all(STDIN_FILENO, capacity: capacity, named: "standard input")
    do throws(LedgerError) {
      return try text.withBytes { bytes throws(LedgerError) in
        try KeyFile.parse(bytes)
      }
    } catch {
      throw CommandFailure(error, path: "standard input")
    }
  }
}
