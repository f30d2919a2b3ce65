import AccessPolicy
import Foundation
import Testing

/// `latchkey-policy(5)` says what the parser does.
@Suite struct PolicyManualTests {
  private func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "tools/man/latchkey-policy.5"), encoding: .utf8)
  }

  /// The lines of a section or list item, up to the next of its kind.
  private func part(_ start: String, upTo ends: [String], of page: String) -> [Substring] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0 == start }) else { return [] }
    return lines[(first + 1)...].prefix { line in !ends.contains { line.hasPrefix($0) } }
  }

  @Test(arguments: PolicyPreset.allCases)
  func `the manual page has the methods of each preset`(preset: PolicyPreset) throws {
    let item = part(".It Cm \(preset.rawValue)", upTo: [".It ", ".El"], of: try page())
    let words = item.filter { $0.hasPrefix(".Li ") }.map {
      $0.dropFirst(4).split(separator: " ")[0]
    }
    #expect(words.map { String($0) } == preset.patterns.map(\.description))
  }

  @Test func `the manual page has every keyword and bound`() throws {
    let page = try page()
    for keyword in ["allow", "methods", "namespaces", "rate", "namespace-rate"] {
      #expect(page.contains("\n.It Ic \(keyword) "), "\(keyword)")
    }
    #expect(page.contains(" at most \(Policy.maximumCount) octets"))
    #expect(page.contains("from 1 to \(CallRate.maximum)"))
  }

  @Test func `the example of the manual page is a policy`() throws {
    let section = part(".Sh EXAMPLES", upTo: [".Sh"], of: try page())
    let text = section.filter { !$0.hasPrefix(".") }.joined(separator: "\n")
    let policy = try Policy(text, methods: PolicyParserTests.methods)
    #expect(policy.rules.count == 6)
    #expect(policy.rules[1].rate == CallRate(perSecond: 50, burst: 200))
  }
}
