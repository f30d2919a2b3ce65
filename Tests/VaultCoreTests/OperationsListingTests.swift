import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// What a caller sees of the names of a vault, by the policy.
@Suite struct OperationsListingTests {
  private func page(
    _ test: CommitTestVault, prefix: String = "", after: String? = nil, limit: Int = 100,
    by subject: AuditEntry.Subject? = nil
  ) throws -> NamespacePage {
    try test.ask {
      test.worker.listNamespaces(
        prefix: prefix, after: try after.map { try NamespaceName($0) }, limit: limit,
        by: subject ?? test.gate, $0)
    }
  }

  private func names(_ page: NamespacePage) -> [String] { page.entries.map(\.name.rawValue) }

  private static let own = ["site/a", "site/a/1", "site/a/2/x", "site/b", "site/c", "tool"]
  private static let foreign = [
    "other", "other/a", "site", "site-a/1", "site/a.1", "site/b/hidden", "site/d/x", "tool/x",
    "zone",
  ]

  private func vault() throws -> CommitTestVault {
    let test = try CommitTestVault()
    try test.govern([
      ("namespace.list", "site/a/** site/a"), ("namespace.*", "site/b site/c tool site/none"),
      ("key.*", "**"),
    ])
    return test
  }

  @Test(arguments: [1, 2, 3, 5, 100])
  func `pages show what the caller may list, and end the same with and without others`(
    limit: Int
  ) throws {
    let test = try vault()
    try test.create(Self.own)
    try test.revoke("site/b")
    func pages() throws -> [NamespacePage] {
      var pages: [NamespacePage] = []
      repeat {
        pages.append(try page(test, after: pages.last?.next, limit: limit))
      } while pages.last?.next != nil
      return pages
    }
    let alone = try pages()
    #expect(alone.flatMap(names) == Self.own)
    #expect(alone.count == (Self.own.count + limit - 1) / limit)
    for next in alone.compactMap(\.next) { #expect(Self.own.contains(next)) }
    try test.create(Self.foreign)
    try test.create((0..<300).flatMap { ["site/a-\($0)", "site/c/\($0)", "site/a\($0)/y"] })
    #expect(try pages() == alone)
    #expect(names(try page(test, by: CommitTestVault.subject)).count == 100)
  }

  @Test func `a prefix or a start among other names tells nothing of them`() throws {
    let test = try vault()
    try test.create(Self.own + Self.foreign)
    for prefix in ["other", "zone", "never", "site-", "site/b/", "site/d/x"] {
      #expect(try page(test, prefix: prefix) == NamespacePage(), "\(prefix)")
    }
    #expect(names(try page(test, prefix: "site/a/")) == ["site/a/1", "site/a/2/x"])
    for (start, first) in [("other/a", "site/a"), ("other/none", "site/a"), ("site/b/z", "site/c")]
    {
      #expect(names(try page(test, after: start)).first == first)
    }
    #expect(try page(test, after: "zone") == NamespacePage())
  }

  @Test func `a policy shows at once, and without a rule nothing does`() throws {
    let test = try vault()
    try test.create(Self.own + Self.foreign)
    #expect(names(try page(test)) == Self.own)
    try test.govern([("namespace.list", "zone")])
    #expect(names(try page(test)) == ["zone"])
    try test.govern([("key.*", "**")])
    #expect(try page(test) == NamespacePage())
    try test.govern([("namespace.list", "**")])
    let all = names(try page(test))
    #expect(all == (Self.own + Self.foreign).sorted())
  }

  @Test func `children far apart among others are found all the same`() throws {
    let test = try CommitTestVault()
    try test.govern([("namespace.list", "site/*")])
    let count = VaultWorker.gapLimit + 5
    try test.create((0..<count).map { "site/\($0)/door" } + ["site", "site/own", "site/zone"])
    #expect(names(try page(test)) == ["site/own", "site/zone"])
    let first = try page(test, limit: 1)
    #expect(names(first) == ["site/own"] && first.next == "site/own")
    #expect(try AuditLog(test).lines.count { $0.method == "namespace.list" } == 2)
  }
}
