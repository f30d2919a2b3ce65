import Glibc

/// Reads the configuration file: `key = value` lines, `#` comments, nothing unknown.
package enum ConfigurationFile {
  private static let sizeLimit = 64 << 10

  /// Reads a file that only root or the daemon's user can have written.
  ///
  /// - Parameter path: where it is; a link is followed to the file that is then checked.
  /// - Returns: what it says.
  /// - Throws: ``ConfigurationError``.
  package static func read(path: String) throws(ConfigurationError) -> Configuration {
    // Without O_NONBLOCK a named pipe would make the daemon wait.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else {
      throw .unreadable(path: path, reason: ServerError.text(errno))
    }
    let file = OwnedDescriptor(number)
    let status: FileStatus
    do throws(ServerError) {
      status = try FileStatus(descriptor: file.number)
    } catch {
      throw .unreadable(path: path, reason: error.description)
    }
    guard status.isRegularFile else { throw .unreadable(path: path, reason: "not a regular file") }
    guard status.owner == 0 || status.owner == geteuid() else {
      throw .unsafeFile(path: path, reason: "it belongs to uid \(status.owner)")
    }
    guard !status.isWidelyWritable else {
      throw .unsafeFile(path: path, reason: "its group or others may write to it")
    }
    return try parse(try contents(of: file, path: path), path: path)
  }

  private static func contents(
    of file: OwnedDescriptor, path: String
  ) throws(ConfigurationError) -> String {
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(file.number, &piece, piece.count)
      guard count >= 0 else { throw .unreadable(path: path, reason: ServerError.text(errno)) }
      guard count > 0 else { break }
      octets += piece[..<count]
      guard octets.count <= sizeLimit else {
        throw .unreadable(path: path, reason: "it is longer than \(sizeLimit) bytes")
      }
    }
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw .unreadable(path: path, reason: "it is not UTF-8 text")
    }
    return text
  }

  /// Parses the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: what the file holds.
  ///   - path: its name, for errors.
  /// - Returns: what it says.
  /// - Throws: ``ConfigurationError/badLine(path:line:reason:)``.
  package static func parse(
    _ text: String, path: String
  ) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    var seen: [String: Int] = [:]
    // To Swift a carriage return and the line feed behind it are one character of their own.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      do throws(ConfigurationKey.BadValue) {
        try apply(trimmed(line), to: &configuration, number: index + 1, seen: &seen)
      } catch {
        throw .badLine(path: path, line: index + 1, reason: error.reason)
      }
    }
    return configuration
  }

  private static func apply(
    _ line: Substring, to configuration: inout Configuration, number: Int,
    seen: inout [String: Int]
  ) throws(ConfigurationKey.BadValue) {
    guard !line.isEmpty, line.first != "#" else { return }
    guard let equals = line.firstIndex(of: "=") else {
      throw ConfigurationKey.BadValue(reason: "\"\(line)\" is not of the form key = value")
    }
    let name = trimmed(line[..<equals])
    let value = trimmed(line[line.index(after: equals)...])
    guard let key = ConfigurationKey.named(name) else {
      throw ConfigurationKey.BadValue(reason: "there is no key \"\(name)\"")
    }
    if let first = seen[key.name], !key.isRepeatable {
      throw ConfigurationKey.BadValue(reason: "\(name) was set in line \(first) already")
    }
    seen[key.name] = number
    guard !value.isEmpty else {
      throw ConfigurationKey.BadValue(reason: "\(name) has no value")
    }
    do throws(ConfigurationKey.BadValue) {
      try key.apply(&configuration, String(value))
    } catch {
      throw ConfigurationKey.BadValue(reason: "\(name): \(error.reason)")
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  /// The documentation of the file: a commented example with every key at its standard value.
  package static var example: String {
    ConfigurationKey.all.map { key in
      let standard = key.isRepeatable ? key.form : key.standard
      let again = key.isRepeatable ? "; may be given again" : ""
      return "# \(key.summary)\(again)\n# \(key.name) = \(standard)\n"
    }.joined(separator: "\n")
  }
}
