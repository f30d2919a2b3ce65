import Foundation
import Testing

/// A terminal of Python's with `vaultctl` on it.
enum Terminal {
  /// What was shown, and how it ended.
  struct Seen: Decodable {
    let shown: String
    let exit: Int32?
    let signal: Int32?
    let echo: Bool
  }

  /// Runs `vaultctl` with these words, and does step after step.
  static func run(
    _ steps: [[String: Any]], _ words: [String], environment: [String: String] = [:]
  ) throws -> Seen {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let script = try JSONSerialization.data(withJSONObject: steps)
    process.arguments =
      ["--wait", "python3", folder.appendingPathComponent("terminal.py").path]
      + [String(decoding: script, as: UTF8.self), Vaultctl.path] + words
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let problem = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(String(decoding: problem, as: UTF8.self) == "")
    return try JSONDecoder().decode(Seen.self, from: text)
  }
}
