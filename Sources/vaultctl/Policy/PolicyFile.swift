import VaultAPI
import WireCoding

/// Files that hold a policy.
enum PolicyFile {
  /// Reads one.
  ///
  /// - Parameter path: where it is; `-` is standard input.
  /// - Returns: its text.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``, or ``ExitCode/badData`` when it cannot be a policy.
  static func read(_ path: String) throws(CommandFailure) -> String {
    let name = FileInput.name(of: path)
    let octets = try FileInput.read(path, limit: VaultLimits.policyOctets)
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw CommandFailure(.badData, "\(name) is not UTF-8 text")
    }
    guard !text.isEmpty else { throw CommandFailure(.badData, "\(name) is empty") }
    // No request can carry it, so that the vault could say where it stands.
    if let nul = octets.firstIndex(of: 0) {
      let line = octets[..<nul].count { $0 == UInt8(ascii: "\n") } + 1
      throw CommandFailure(
        .badData, "\(name): line \(line): U+0000: a character that does not show",
        hint: Self.line(named: "line \(line):", of: text))
    }
    return text
  }

  /// Sends a text, and shows the line that the vault finds fault with.
  static func checked(
    _ text: String, _ send: (String) throws(CommandFailure) -> JSONValue
  ) throws(CommandFailure) -> JSONValue {
    do throws(CommandFailure) {
      return try send(text)
    } catch {
      var failure = error
      if let server = error.server, server.field == "policy",
        let line = line(named: server.message, of: text)
      {
        failure.hint = line
      }
      throw failure
    }
  }

  /// The line of a text that a message such as `line 3: …` is about, with its number.
  static func line(named message: String, of text: String) -> String? {
    let words = message.lowercased().split(separator: ":", maxSplits: 1)[...]
    guard let start = words.first, start.hasPrefix("line "), let number = Int(start.dropFirst(5))
    else { return nil }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    // A tab would be shown as its number.
    let line = String(Substring(lines[number - 1])).replacing("\t", with: " ")
    return "line \(number) is: \(line)"
  }
}
