import AccessPolicy
import DiskFaults
import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// Walks through names in their order, compared with a look at each name by a regular expression.
@Suite struct NamespaceReachTests {
  private static let segments = ["a", "a-", "a.b", "a0", "b", "z_"]

  private static func name(_ random: inout SplitMix) -> String {
    (0...Int(random.next() % 4)).map { _ in segments[Int(random.next() % 6)] }
      .joined(separator: "/")
  }

  private static func pattern(_ random: inout SplitMix) throws -> NamespacePattern {
    let name = try NamespaceName(name(&random))
    return switch random.next() % 12 {
    case 0..<5: .exactly(name)
    case 5..<8: .children(name)
    case 8..<11: .below(name)
    default: .all
    }
  }

  /// What the patterns mean, said another way.
  private static func expression(_ patterns: [NamespacePattern]) throws -> NSRegularExpression {
    let parts = patterns.map { pattern in
      switch pattern {
      case .all: ".*"
      case .exactly(let name): NSRegularExpression.escapedPattern(for: name.rawValue)
      case .children(let name):
        NSRegularExpression.escapedPattern(for: name.rawValue) + "/[^/]+"
      case .below(let name): NSRegularExpression.escapedPattern(for: name.rawValue) + "/.+"
      }
    }
    return try NSRegularExpression(pattern: "^(?:\(parts.joined(separator: "|")))$")
  }

  /// Walks through names as through those of a database.
  private static func walk(
    _ reach: NamespaceReach, through names: [String], from start: String = "",
    before end: String = "\u{7f}", atMost bound: Int = .max
  ) -> (found: [String], reads: Int, isWhole: Bool) {
    var found: [String] = []
    var reads = 0
    let isWhole = reach.walk(from: start, before: end, atMost: bound) { start, isWanted in
      reads += 1
      for name in names where !precedes(name, start) && precedes(name, end) {
        guard isWanted(name) else { return name }
        found.append(name)
      }
      return nil
    }
    return (found, reads, isWhole)
  }

  /// The order of the database, in which names are compared octet by octet.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    Data(one.utf8).lexicographicallyPrecedes(Data(other.utf8))
  }

  @Test func `finds each name within reach once, in order, and no other`() throws {
    var random = SplitMix(state: 4)
    var shown = 0
    for _ in 0..<600 {
      let names = Set((0..<60).map { _ in Self.name(&random) }).sorted()
      let patterns = try (0..<Int(1 + random.next() % 6)).map { _ in try Self.pattern(&random) }
      let expression = try Self.expression(patterns)
      let start = Self.name(&random)
      let expected = names.filter { name in
        let range = NSRange(name.startIndex..., in: name)
        return name >= start && expression.firstMatch(in: name, range: range) != nil
      }
      let reach = NamespaceReach(patterns)
      #expect(Self.walk(reach, through: names, from: start).found == expected, "\(patterns)")
      for name in names {
        let name = try NamespaceName(name)
        #expect(reach.contains(name) == patterns.contains { $0.matches(name) })
      }
      shown += expected.count
    }
    #expect(shown > 1_000)
  }

  @Test func `what lies outside costs one read a gap, however much it is`() throws {
    let crowd = (0..<500).flatMap { ["a/\($0)/x", "b/\($0)", "d/own/\($0)/y", "e/\($0)"] }
    let own = ["b", "d/own", "d/own/k"]
    let names = (crowd + own).sorted()
    let reach = NamespaceReach([
      .exactly(try NamespaceName("b")), .exactly(try NamespaceName("d/own")),
      .exactly(try NamespaceName("d/own/k")),
    ])
    #expect(Self.walk(reach, through: names).found == own)
    #expect(Self.walk(reach, through: names).reads <= own.count + 1)
    // With the parent's children alone, each child with names below it is a gap.
    let children = NamespaceReach([.children(try NamespaceName("d/own"))])
    let walked = Self.walk(children, through: names)
    #expect(walked.found == ["d/own/k"] && walked.isWhole && walked.reads > 500)
    let cut = Self.walk(children, through: names, atMost: 10)
    #expect(!cut.isWhole && cut.reads == 10)
    #expect(Self.walk(.nothing, through: names) == ([], 0, true))
    #expect(Self.walk(.everything, through: names) == (names, 1, true))
  }

  @Test func `what is no name is passed over by those who may not see everything`() throws {
    let names = ["a/", "a/B", "a/B\u{1}", "a/b", "a/b//", "a/é", "b/c"]
    let below = NamespaceReach([.below(try NamespaceName("a"))])
    #expect(Self.walk(below, through: names).found == ["a/b"])
    let children = NamespaceReach([.children(try NamespaceName("a"))])
    #expect(Self.walk(children, through: names).found == ["a/b"])
    // It is shown as damage to the others.
    #expect(Self.walk(.everything, through: names).found == names)
  }

  @Test(arguments: ["a\u{212A}", "a\u{1FEF}", "a/\u{301}b", "A\u{30A}", "\u{212B}", "a\u{37E}c"])
  func `what equals another text only as Unicode has it leads no walk back`(_ row: String) throws {
    let names = ["a", "a/b", "aK", "ab", row, "b"].sorted(by: Self.precedes)
    let patterns: [NamespacePattern] = [
      .exactly(try NamespaceName("ab")), .children(try NamespaceName("a")),
      .below(try NamespaceName("a/b")), .exactly(try NamespaceName("b")),
    ]
    for pattern in patterns {
      let walked = Self.walk(NamespaceReach([pattern]), through: names, atMost: 100)
      #expect(walked.isWhole && !walked.found.contains(row), "\(pattern)")
    }
    let walked = Self.walk(NamespaceReach(patterns), through: names, atMost: 100)
    #expect(walked.isWhole && walked.found == ["a/b", "ab", "b"])
  }
}
