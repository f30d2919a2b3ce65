import Glibc
import VaultAPI
import WireCoding

/// Reads files that are not secret.
enum FileInput {
  /// What to call a file in what is said about it; `-` is standard input.
  static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  /// Opens a file for reading.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - isSecret: whether it is to hold a secret, which somebody may have given in its place; the path
  ///     is not repeated then.
  /// - Returns: its descriptor, which is the caller's to close.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``.
  static func open(_ path: String, isSecret: Bool = false) throws(CommandFailure) -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    let number = errno
    guard descriptor >= 0 else {
      let name = isSecret ? "the file that is to hold the secret" : path
      throw CommandFailure(
        .noInput, "\(name) cannot be opened: \(systemMessage(number))",
        hint: isSecret ? "give the path of a file, or - for standard input" : nil)
    }
    return descriptor
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: where it is; `-` is standard input.
  ///   - limit: the most octets it may have.
  ///   - hint: what to do about a longer one.
  /// - Returns: its octets.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``, or ``ExitCode/badData`` when it is too long.
  static func read(
    _ path: String, limit: Int, tooLong hint: String? = nil
  ) throws(CommandFailure) -> [UInt8] {
    let name = name(of: path)
    let descriptor = path == "-" ? STDIN_FILENO : try open(path)
    defer { if path != "-" { close(descriptor) } }
    var octets: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe part.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { return octets }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw CommandFailure(.noInput, "\(name) cannot be read: \(systemMessage(errno))")
      }
      guard octets.count + count <= limit else {
        throw CommandFailure(.badData, "\(name) has more than \(limit) bytes", hint: hint)
      }
      octets.append(contentsOf: part[..<count])
    }
  }

  /// Reads a file that holds one JSON object.
  static func object(_ path: String) throws(CommandFailure) -> JSONValue {
    let octets = try read(path, limit: VaultLimits.requestOctets)
    return try object(octets, named: name(of: path))
  }

  /// Reads one JSON object.
  static func object(_ octets: [UInt8], named name: String) throws(CommandFailure) -> JSONValue {
    let value: JSONValue
    do throws(WireCodingError) {
      value = try JSONValue(octets.span)
    } catch {
      guard case .json(let fault, let offset) = error else {
        throw CommandFailure(.badData, "\(name) is not JSON")
      }
      throw notJSON(name, fault, offset)
    }
    guard case .object = value else { throw notAnObject(name) }
    return value
  }

  /// Text that breaks the rules of JSON.
  static func notJSON(_ name: String, _ fault: JSONFault, _ offset: Int) -> CommandFailure {
    CommandFailure(
      .badData, "\(name) is not JSON of this protocol: \(fault.words) at byte \(offset)")
  }

  /// JSON that is something else.
  static func notAnObject(_ name: String) -> CommandFailure {
    CommandFailure(.badData, "\(name) is not a JSON object")
  }
}
