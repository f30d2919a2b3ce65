import AccessPolicy
import Foundation
import Testing

@testable import VaultCore

/// `latchkey-audit(5)` describes the table that lines are written from.
@Suite struct AuditManualTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func page() throws -> String {
    try String(contentsOf: root.appending(path: "tools/man/latchkey-audit.5"), encoding: .utf8)
  }

  /// What a section's list describes.
  private func items(of section: String) throws -> [String] {
    let page = try Self.page()
    let start = try #require(page.range(of: ".Sh \(section)\n"), "\(section)")
    let end = page[start.upperBound...].range(of: "\n.Sh ")
    return page[start.upperBound..<(end?.lowerBound ?? page.endIndex)].split(separator: "\n")
      .filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `the manual page has every field with its class, in the order of a line`() throws {
    #expect(
      try items(of: "FIELDS")
        == AuditField.allCases.map { "Va \($0.name) Pq Li \($0.redaction.rawValue)" })
  }

  @Test func `the manual page has every class`() throws {
    #expect(
      try items(of: "REDACTION") == AuditField.Redaction.allCases.map { "Li \($0.rawValue)" })
  }

  @Test func `the manual page has every reason`() throws {
    #expect(try items(of: "REASONS") == DenialReason.allCases.map { "Li \($0.rawValue)" })
  }

  /// All methods that the program writes into lines, which the compiler holds to be literals.
  @Test func `the manual page has every method that is none of the protocol's`() throws {
    let schema = try String(
      contentsOf: Self.root.appending(path: "Schema/vault.openrpc.json"), encoding: .utf8)
    let files = try #require(
      FileManager.default.enumerator(
        at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(
        of: /(AuditEntry\(\s*|recordDenial\(\s*|\?\? |: StaticString = )"([a-z]+(\.[a-z_]+)+)"/)
      {
        found.insert(String(match.2))
      }
    }
    let own = found.filter { !schema.contains("\"name\": \"\($0)\"") }
    #expect(own.sorted() == AuditEntry.ownMethods)
    #expect(try items(of: "METHODS OF THE VAULT") == own.sorted().map { "Li \($0)" })
  }

  @Test func `the manual page has the bounds of what is counted`() throws {
    let page = try Self.page()
    #expect(page.contains("At most \(DenialLog.mostCallers) callers are told apart"))
    #expect(DenialLog.period == 1 && DenialLog.sealedPeriod == 60)
  }
}
