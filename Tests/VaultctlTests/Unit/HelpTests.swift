import CommandLineOptions
import Foundation
import Testing

@testable import vaultctl

@Suite struct HelpTests {
  private static let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("tools/man/vaultctl.1")

  private func help(_ path: [String]) throws -> String {
    guard case .help(let text) = try VerbTable.root.parse(path + ["--help"]) else {
      throw CommandFailure(.usage, "no help")
    }
    return text
  }

  @Test(arguments: VerbTable.verbs.map(\.name))
  func `every example can be typed`(_ name: String) throws {
    let verb = try #require(VerbTable.verb(name.split(separator: " ").map(String.init)))
    #expect(!verb.command.examples.isEmpty)
    for example in verb.command.examples {
      let line = example.line.replacingOccurrences(of: "\\\n", with: " ")
        .replacingOccurrences(of: "\n", with: " ")
      let start = try #require(line.range(of: "vaultctl "), "\(line)")
      var words = ShellWords.split(String(line[start.lowerBound...]))
      // Redirections and pipes are the shell's; what xargs adds is a digest.
      if let end = words.firstIndex(where: ["<", ">", "|"].contains) {
        words.removeSubrange(end...)
      }
      if line.contains("xargs") { words.append(String(repeating: "0", count: 64)) }
      guard case .run(let found) = try VerbTable.root.parse(Array(words.dropFirst())) else {
        Issue.record("no command: \(line)")
        continue
      }
      #expect(found.path.dropFirst().elementsEqual(verb.path))
    }
  }

  @Test func `help at every level has an example and fits 80 columns`() throws {
    for path in [[]] + VerbTable.groups.map({ [$0.name] }) + VerbTable.verbs.map(\.path) {
      let text = try help(path)
      #expect(text.contains("\nExamples:\n  # "), "\(path)")
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func `the general help names all commands and exit codes`() throws {
    let text = try help([])
    for verb in VerbTable.verbs { #expect(text.contains("\n  \(verb.path[0]) ")) }
    for code in ExitCode.allCases { #expect(text.contains("\(code.rawValue)  \(code.meaning)")) }
  }

  @Test func `the manual page has every command, option and exit code`() throws {
    let page = try String(contentsOf: Self.manual, encoding: .utf8)
    for verb in VerbTable.verbs {
      #expect(page.contains("\n.It Cm \(verb.name)"), "\(verb.name)")
      // The options are taken from the help; mdoc writes `--name` as `Fl -name`.
      for word in try help(verb.path).split(separator: " ") where word.hasPrefix("--") {
        let name = word.drop { $0 == "-" }.prefix { $0.isLetter || $0 == "-" }
        #expect(page.contains("Fl -\(name)"), "\(name)")
      }
    }
    for code in ExitCode.allCases {
      #expect(page.contains("\n.It \(code.rawValue)\n\(code.meaning)"), "\(code)")
    }
  }
}
