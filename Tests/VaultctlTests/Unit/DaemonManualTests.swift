import Foundation
import Testing
import VaultServer

@Suite struct DaemonManualTests {
  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent("tools/man/vaultd.8"), encoding: .utf8)
  }

  @Test func `the daemon's manual page has every option, key and exit status`() throws {
    let page = try page()
    for key in ConfigurationKey.all {
      #expect(page.contains(".It Va \(key.name)\n"), "\(key.name)")
    }
    for key in ConfigurationKey.all {
      guard let bounds = key.summary.split(separator: "(").last, key.summary.hasSuffix(")"),
        let item = page.components(separatedBy: ".It Va \(key.name)\n").last?
          .components(separatedBy: "\n.It Va ").first, bounds.contains(" to ")
      else { continue }
      let words = bounds.dropLast().replacing(#/([0-9])([A-Za-z])/#) { "\($0.1) \($0.2)" }
      #expect(item.contains("From \(words)."), "\(key.name) is \(words)")
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

  @Test func `the METRICS section is the table of metrics, in its order`() throws {
    let page = try page()
    let start = try #require(page.range(of: "\n.Sh METRICS\n"))
    let end = try #require(page[start.upperBound...].range(of: "\n.Sh "))
    let section = String(page[start.upperBound..<end.lowerBound])
    let metrics = Metric.all.map { metric in
      let labels = metric.labels.map(\.name).joined(separator: ", ")
      let kind = metric.kind.rawValue + (labels.isEmpty ? "" : " by \(labels)")
      return ".It Va \(metric.name) Pq \(kind)\n\(metric.help)"
    }
    var seen: Set<String> = []
    let labels = Metric.all.flatMap(\.labels).filter { seen.insert($0.name).inserted }.map {
      label in
      let isShort = (2...8).contains(label.words.count)
      let words = isShort ? ": \(label.words.joined(separator: ", "))" : ""
      return ".It Va \(label.name)\n\(label.meaning)\(words)."
    }
    for expected in [metrics, labels].map({ Self.list($0) }) {
      #expect(section.contains(expected), "the page should have:\n\(expected)")
    }
    let items = section.components(separatedBy: "\n.It Va ").count - 1
    #expect(items == metrics.count + labels.count)
  }

  private static func list(_ items: [String]) -> String {
    ".Bl -tag -width Ds\n\(items.joined(separator: "\n"))\n.El"
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
