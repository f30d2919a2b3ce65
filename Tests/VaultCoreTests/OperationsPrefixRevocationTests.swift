import Foundation
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// The revocation of a name and all below it.
@Suite struct OperationsPrefixRevocationTests {
  private static let below = ["home", "home/a", "home/a/b/c", "home/b"]
  private static let beside = ["hom", "home-a", "home.a", "home0", "homes/a", "other/home/a"]

  private func vault(
    _ directory: LedgerTestVault? = nil, hooks: VaultHooks = VaultHooks()
  ) throws -> CommitTestVault {
    let test = try CommitTestVault(directory, hooks: hooks)
    for name in Self.below + Self.beside where directory == nil { try test.publicKey(name) }
    return test
  }

  private func living(_ test: CommitTestVault) throws -> Int64 {
    try test.directory.database.openReader()
      .integer("SELECT count(*) FROM namespace WHERE key_box IS NOT NULL")
  }

  @Test func `ends the name and all below it, with a line for each, and nothing beside`() throws {
    var test = try vault()
    try test.publicKey("home/gone")
    try test.revoke("home/gone")
    let answer = try test.revoke(within: "home")
    #expect(answer.value == Self.below.count)
    for _ in 0..<2 {
      for name in Self.below { #expect(code { try test.sign(name) } == .revoked) }
      for name in Self.beside { try test.sign(name) }
      test = try test.restarted()
    }
    #expect(try living(test) == Int64(Self.beside.count))
    #expect(
      try test.directory.database.openReader().integer("SELECT count(*) FROM record")
        == Int64(Self.beside.count))
    let log = try AuditLog(test)
    let own = try #require(log.line(answer.sequence))
    #expect(own.method == "namespace.revoke" && own.namespace == "home")
    #expect(!own.isRestrictive && own.text.contains("\"count\":4,"))
    let lines = log.lines.filter { $0.sequence < answer.sequence }.suffix(Self.below.count)
    #expect(lines.map(\.namespace) == Self.below)
    #expect(lines.allSatisfy { $0.method == "namespace.revoke" && $0.isRestrictive })
    #expect(lines.allSatisfy { $0.code == nil && $0.text.contains("\"namespace_id\":\"") })
  }

  @Test func `a name that was never used can stand for those below it, until none is left`() throws
  {
    let test = try vault()
    try test.publicKey("site/1/door")
    try test.publicKey("site/2/door")
    #expect(code { try test.revoke(within: "sit") } == .notFound)
    #expect(try test.revoke(within: "site").value == 2)
    #expect(code { try test.revoke(within: "site") } == .notFound)
    #expect(code { try test.revoke(within: "nowhere") } == .notFound)
    #expect(try test.revoke(within: "hom").value == 1)
    try test.seal()
    #expect(code { try test.revoke(within: "home") } == .sealed)
  }

  @Test func `what was computed with any of the keys does not go out, and the sessions end`()
    throws
  {
    let held = HeldCall(["key.sign"])
    let test = try vault(hooks: held.hooks)
    try test.door("home/door")
    let session = try test.open("home/door", connection: 5).value.id
    var line: Int64 = 0
    let name = try NamespaceName("home/a/b/c")
    let answer: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.sign(name, .message([1]), by: CommitTestVault.subject, $1) },
      { line = try test.revoke(within: "home").sequence })
    try refused(answer, .revoked)
    #expect(test.vault.presentations.count == 0)
    #expect(code { try test.exchange(session, TestPass.auth0, connection: 5) } == .notFound)
    let log = try AuditLog(test)
    #expect(log.lines.last { $0.method == "key.sign" }.map { $0.sequence > line } == true)
  }

  @Test func `one that is made while the others are looked for ends too`() throws {
    let held = HeldCall(["namespace.revoke"])
    let test = try vault(hooks: held.hooks)
    let home = try NamespaceName("home")
    let answer: Answer<CommitTestVault.Numbered<Int>> = try held.holding(
      test, { $0.revokeNamespaces(within: home, by: CommitTestVault.subject, $1) },
      {
        try test.publicKey("home/late")
        try test.revoke("home/b")
      })
    #expect(try answer.get().value == Self.below.count)
    #expect(code { try test.sign("home/late") } == .revoked)
    #expect(try living(test) == Int64(Self.beside.count))
  }

  @Test func `damage anywhere in the index keeps it from ending some of them`() throws {
    var test = try vault()
    let (directory, count) = (test.directory, try living(test))
    test.vault.close()
    for name in ["home/b", "other/home/a"] {
      let copy = try LedgerTestVault(copying: directory)
      try copy.tamper("UPDATE namespace SET created = created + 1 WHERE name = '\(name)'")
      test = try vault(copy)
      #expect(code { try test.revoke(within: "home") } == .damaged)
      #expect(try living(test) == count)
      try test.sign("home/a")
      try test.revoke("home/a")
      #expect(try AuditLog(test).lines.count { $0.isRestrictive } == 1)
      test.vault.close()
    }
  }

  @Test func `one that the order of names leaves out ends too`() throws {
    var test = try vault()
    test.vault.close()
    // The index as of a vault whose schema is whole, but without a name.
    let index = "CREATE UNIQUE INDEX namespace_name ON namespace (name)"
    func set(_ sql: String) -> String {
      "UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = 'namespace_name';"
    }
    try test.directory.tamper(
      "PRAGMA writable_schema=ON; \(set(index + " WHERE name <> ''home/a''"))")
    try test.directory.tamper("REINDEX namespace_name")
    try test.directory.tamper("PRAGMA writable_schema=ON; \(set(index))")
    test = try vault(test.directory)
    let page: NamespacePage = try test.ask {
      test.worker.listNamespaces(
        prefix: "home", after: nil, limit: 100, by: CommitTestVault.subject, $0)
    }
    #expect(!page.entries.contains { $0.name.rawValue == "home/a" })
    #expect(try test.revoke(within: "home").value == Self.below.count)
    #expect(code { try test.sign("home/a") } == .revoked)
  }

  @Test func `ends at most so many at once, and none of more`() throws {
    var test = try CommitTestVault()
    let limit = VaultWorker.revocationLimit
    try test.create((0...limit).map { "many/\($0)" })
    #expect(code { try test.revoke(within: "many") } == .tooLarge)
    #expect(try living(test) == Int64(limit + 1))
    try test.revoke("many/7")
    let answer = try test.revoke(within: "many")
    #expect(answer.value == limit)
    #expect(try living(test) == 0)
    let log = try AuditLog(test)
    #expect(log.lines.count { $0.isRestrictive && $0.method == "namespace.revoke" } == limit + 1)
    // The largest batch there is, as a crash and as an orderly end leave it.
    let crashed = try CommitTestVault(LedgerTestVault(copying: test.directory))
    #expect(crashed.damage == [] && crashed.vault.committer.status.sequence >= answer.sequence)
    test = try test.restarted()
    #expect(test.damage == [])
    #expect(try AuditLog(test).line(answer.sequence)?.method == "namespace.revoke")
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
