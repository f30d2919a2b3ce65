import Glibc
import SecureMemory
import VaultAPI

/// Reads texts that nobody else is to see, such as a bearer value, from a file straight into guarded
/// memory.
enum SecretTextInput {
  /// Reads a text, without the line feed at its end.
  ///
  /// - Parameters:
  ///   - path: where it is; `-` is standard input.
  ///   - limit: the most octets it may have.
  /// - Returns: the text, UTF-8 of at least one octet.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``, ``ExitCode/usage`` when standard input is a
  ///   terminal, or ``ExitCode/badData`` when the text is empty, too long or no UTF-8.
  static func read(_ path: String, limit: Int) throws(CommandFailure) -> SecretBox {
    let name = FileInput.name(of: path)
    // A terminal would show what is typed.
    guard path != "-" || isatty(STDIN_FILENO) != 1 else {
      throw .usage("standard input is a terminal, which would show the secret: give a file")
    }
    let descriptor = path == "-" ? STDIN_FILENO : try FileInput.open(path, isSecret: true)
    defer { if path != "-" { close(descriptor) } }
    let text = try GuardedRead.all(descriptor, capacity: limit + 2, named: name)
    let count = try text.withBytes { bytes throws(CommandFailure) in
      let isEnded = bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
      let count = isEnded ? bytes.count - 1 : bytes.count
      guard count > 0 else { throw CommandFailure(.badData, "\(name) is empty") }
      guard count <= limit else {
        throw CommandFailure(.badData, "\(name) has more than \(limit) bytes")
      }
      guard (try? UTF8Span(validating: bytes)) != nil else {
        throw CommandFailure(.badData, "\(name) is not UTF-8")
      }
      return count
    }
    return SecretBox(try GuardedRead.first(count, of: text))
  }
}
