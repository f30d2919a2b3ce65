import Foundation
import Testing
import VaultServer

@Suite struct DaemonManualTests {
  @Test func `the daemon's manual page has every option, key and exit status`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("tools/man/vaultd.8"), encoding: .utf8)
    for key in ConfigurationKey.all {
      #expect(page.contains(".It Va \(key.name)\n"), "\(key.name)")
    }
    let help = try help()
    for word in help.split(whereSeparator: \.isWhitespace) where word.hasPrefix("--") {
      let name = word.drop { $0 == "-" }.prefix { $0.isLetter || $0 == "-" }
      #expect(page.contains("Fl -\(name)"), "\(name)")
    }
    for line in help.split(separator: "\n") {
      guard let code = Int(line.prefix(5).trimmingCharacters(in: .whitespaces)) else { continue }
      #expect(page.contains(".It \(code)\n"), "\(code)")
    }
  }

  private func help() throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Vaultctl.path).deletingLastPathComponent()
      .appendingPathComponent("vaultd")
    process.arguments = ["--help"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
