import Foundation
import Testing

/// A file that tells what is typed, what the vault is asked and answers, and what is seen.
///
/// `Scenarios/README.md` describes the format.
struct Scenario: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var command = ""
    var script: [FakeVault.Exchange] = []
    var stdin = ""
    var stdout = ""
    var stderr = ""
    var exit: Int32 = 0
  }

  struct Malformed: Error {
    let file: String
    let line: String
  }

  let name: String
  var files: [String: String] = [:]
  var steps: [Step] = []

  var testDescription: String { name }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scenarios")

  static let all: [Scenario] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
      let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return try? Scenario(name, text ?? "")
    }
  }()

  init(_ name: String, _ text: String) throws {
    self.name = name
    var section: [Substring] = []
    var script: [FakeVault.Exchange] = []
    var isComplete = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("-- ") && line.hasSuffix(" --") {
        section = line.dropFirst(3).dropLast(3).split(separator: " ")
        try begin(section, line)
        if section.first == "exit" { isComplete = true }
        if section.first == "run" {
          guard isComplete else { throw Malformed(file: name, line: "a run without its exit") }
          isComplete = false
          steps[steps.count - 1].script = script
          script = []
        }
      } else {
        try take(line, section, &script)
      }
    }
    guard !steps.isEmpty, isComplete else {
      throw Malformed(file: name, line: "no run, or no exit")
    }
  }

  private mutating func begin(_ section: [Substring], _ line: Substring) throws {
    switch section.first {
    case "file": files[String(section[1])] = ""
    case "run": steps.append(Step())
    case "exit":
      guard let code = Int32(section[1]) else { throw Malformed(file: name, line: String(line)) }
      steps[steps.count - 1].exit = code
    case "vault", "stdin", "stdout", "stderr": break
    default: throw Malformed(file: name, line: String(line))
    }
  }

  private mutating func take(
    _ line: Substring, _ section: [Substring], _ script: inout [FakeVault.Exchange]
  ) throws {
    let last = steps.count - 1
    switch section.first {
    case "file": files[String(section[1]), default: ""] += line + "\n"
    case "stdin": steps[last].stdin += line + "\n"
    case "stdout": steps[last].stdout += line + "\n"
    case "stderr": steps[last].stderr += line + "\n"
    case "run": if line.hasPrefix("$ vaultctl") { steps[last].command = String(line.dropFirst(10)) }
    case "vault":
      if line.hasPrefix("> ") {
        script.append(
          FakeVault.Exchange(
            endpoint: String(section[1]), request: String(line.dropFirst(2)), answer: .silence))
      } else if line.hasPrefix("< "), let request = script.popLast() {
        script.append(
          FakeVault.Exchange(
            endpoint: request.endpoint, request: request.request,
            answer: Self.answer(line.dropFirst(2))))
      } else {
        throw Malformed(file: name, line: String(line))
      }
    default: break  // What stands before the first section or after an exit is for the reader.
    }
  }

  private static func answer(_ text: Substring) -> FakeVault.Answer {
    switch text {
    case "close": .close
    case "silence": .silence
    case _ where text.hasPrefix("line "): .line(String(text.dropFirst(5)))
    default: .members(String(text))
    }
  }
}
