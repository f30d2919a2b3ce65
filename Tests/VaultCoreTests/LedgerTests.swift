import AccessPolicy
import Foundation
import SecureMemory
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

@Suite struct LedgerTests {
  private let vault: LedgerTestVault

  init() throws {
    vault = try LedgerTestVault()
  }

  @Test func `keeps namespaces and records across a restart`() throws {
    do {
      let open = try vault.open()
      try open.commit { writer in
        try writer.create("site/front")
        try writer.put("one", .key, "presentation/1", in: "site/front")
        try writer.put("pass", .pass, "", in: "site/front")
      }
      try open.commit { writer in
        try writer.put("two", .key, "presentation/1", in: "site/front")
      }
    }
    let open = try vault.open()
    #expect(open.report.damage == [])
    #expect(open.report.state.seq == 2)
    #expect(try open.record("site/front", .key, "presentation/1") == Array("two".utf8))
    #expect(try open.record("site/front", .pass, "") == Array("pass".utf8))
    #expect(try open.record("site/front", .pass, "x") == nil)
    #expect(try open.namespace("site/back") == nil)
    let name = try NamespaceName("site/front")
    let revisions = try open.reader.read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(named: name) else { return [Int64]() }
      return try snapshot.contents(of: entry).headers.map(\.revision)
    }
    #expect(revisions == [2, 1])
  }

  @Test func `a refused item leaves its neighbours and the index whole`() throws {
    let open = try vault.open()
    try open.commit { writer in
      try writer.create("a")
      #expect(throws: LedgerError.namespaceMissing) {
        try writer.savepoint(wrap: { $0 }) { () throws(LedgerError) in
          _ = try writer.createNamespace(named: Self.name("b"), at: 1)
          try writer.put(Self.secret("x"), .key, "1", in: Self.name("a"))
          _ = try writer.bury(Self.name("a"), at: 2)
          _ = try writer.setPolicy([1])
          throw .namespaceMissing
        }
      }
      try writer.savepoint(wrap: { $0 }) { () throws(LedgerError) in
        try writer.put(Self.secret("y"), .key, "2", in: Self.name("a"))
      }
    }
    #expect(try open.namespace("b") == nil)
    #expect(try open.record("a", .key, "1") == nil)
    #expect(try open.record("a", .key, "2") == Array("y".utf8))
    #expect(try open.ledger.proveAgain().damage == [])
  }

  @Test func `a rolled back transaction leaves nothing, not even in memory`() throws {
    let open = try vault.open()
    try open.writer.begin()
    try open.writer.create("a")
    open.writer.rollback()
    #expect(try open.namespace("a") == nil)
    try open.commit { try $0.create("a") }
    #expect(try open.namespace("a") != nil)
    #expect(try open.ledger.proveAgain().damage == [])
  }

  @Test func `a reader keeps its version while commits go on`() throws {
    let open = try vault.open()
    try open.commit { try $0.create("a") }
    let other = try LedgerReader(open.ledger)
    try open.reader.read { snapshot throws(LedgerError) in
      #expect(try snapshot.namespace(named: Self.name("b")) == nil)
      do { try open.commit { try $0.create("b") } } catch { Issue.record(error) }
      // The old snapshot still proves what it sees; another reader sees the new version.
      #expect(try snapshot.namespace(named: Self.name("b")) == nil)
      #expect(try snapshot.namespace(named: Self.name("a")) != nil)
      let fresh = try other.read { snapshot throws(LedgerError) in
        try snapshot.namespace(named: Self.name("b"))
      }
      #expect(fresh != nil)
    }
    #expect(try open.namespace("b") != nil)
  }

  @Test func `burying erases key and records, and the name stays taken`() throws {
    let open = try vault.open()
    try open.commit { writer in
      try writer.create("a")
      try writer.put("x", .key, "1", in: "a")
    }
    let before = try #require(try open.namespace("a"))
    let wrapped = try #require(before.row.keyBox)
    let buried = try open.commit { try $0.bury(Self.name("a"), at: 5) }
    #expect(buried.records == 1)
    #expect(buried.entry.generation == before.generation + 1)
    let after = try #require(try open.namespace("a"))
    #expect(after.state == .tombstone && after.id == before.id && after.changed == 5)
    #expect(throws: LedgerError.namespaceRevoked) { try open.record("a", .key, "1") }
    #expect(throws: LedgerError.namespaceRevoked) {
      try open.commit { try $0.put("x", .key, "1", in: "a") }
    }
    #expect(throws: LedgerError.namespaceExists) { try open.commit { try $0.create("a") } }
    #expect(throws: LedgerError.namespaceRevoked) {
      try open.commit { try $0.setSuspended(false, Self.name("a"), at: 6) }
    }
    #expect(try open.writer.truncateLog())
    for file in ["vault.db", "vault.db-wal"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: vault.path + "/" + file))
      #expect(data.range(of: Data(wrapped)) == nil, "the wrapped key is still in \(file)")
    }
  }

  @Test func `restrictive changes raise the generation`() throws {
    let open = try vault.open()
    try open.commit { try $0.create("a") }
    let entries = try open.commit { writer in
      [
        try writer.setSuspended(true, Self.name("a"), at: 1),
        try writer.setSuspended(false, Self.name("a"), at: 2),
        try writer.raiseGeneration(Self.name("a"), at: 3),
      ]
    }
    #expect(entries.map(\.generation) == [2, 3, 4])
    #expect(entries.map(\.state) == [.suspended, .active, .active])
    var versions = KeyVersions()
    versions.signing = 3
    try open.commit { _ = try $0.setKeyVersions(versions, Self.name("a"), at: 4) }
    #expect(try open.namespace("a")?.keyVersions == versions)
  }

  @Test func `lists in pages, and walks the whole index by prefix`() throws {
    let open = try vault.open()
    let names = (0..<25).map { String(format: "site-%02d/door", $0) }
    try open.commit { writer in for name in names.shuffled() { try writer.create(name) } }
    try open.commit { try $0.create("other") }
    var listed: [String] = []
    var after: String?
    repeat {
      let page = try open.reader.read { [after] snapshot throws(LedgerError) in
        try snapshot.list(after: after, prefix: "site-", limit: 10) ?? NamespacePage()
      }
      #expect(page.damaged.isEmpty && page.entries.count <= 10)
      listed += page.entries.map(\.name.rawValue)
      after = page.next
    } while after != nil
    #expect(listed == names)
    let walked = try open.reader.read { snapshot throws(LedgerError) in
      try snapshot.allNamespaces(prefix: "site-")
    }
    #expect(walked.map(\.name.rawValue) == names)
  }

  @Test func `the policy starts as the first admin and counts its changes`() throws {
    let open = try vault.open()
    func policy() throws -> (Int64, [UInt8]) {
      try open.reader.read { snapshot throws(LedgerError) in
        let policy = try snapshot.policy()
        return (
          policy.revision, policy.octets.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        )
      }
    }
    #expect(try policy() == (1, Array(Policy.first(admin: "user:1000").utf8)))
    #expect(try open.commit { try $0.setPolicy([1, 2, 3]) } == 2)
    #expect(try policy() == (2, [1, 2, 3]))
  }

  @Test func `while sealed only the outbox can be written`() throws {
    let (ledger, writer) = try Ledger.open(vault.database)
    let reader = try LedgerReader(ledger)
    #expect(try writer.begin() == nil)
    #expect(throws: LedgerError.sealed) { try writer.create("a") }
    try writer.addToOutbox(OutboxRow(batch: 1, firstSeq: 1, lastSeq: 1, lines: [1], mac: nil))
    try writer.commit(try #require(try writer.unprovenState()))
    #expect(try writer.outbox(from: 0, limit: 9).map(\.batch) == [1])
    #expect(throws: LedgerError.sealed) { try reader.read { _ throws(LedgerError) in 0 } }
    _ = try ledger.unseal(try ledger.openSlot(try LedgerTestVault.secret(LedgerTestVault.first)))
    #expect(try reader.read { _ throws(LedgerError) in 0 } == 0)
    ledger.seal()
    #expect(throws: LedgerError.sealed) { try reader.read { _ throws(LedgerError) in 0 } }
  }

  @Test func `a state row that is not the last commit's stops the writer`() throws {
    let open = try vault.open()
    try vault.tamper("UPDATE state SET seq = seq + 1")
    #expect(throws: LedgerError.damaged(.stateRow)) { try open.writer.begin() }
  }

  static func name(_ text: String) throws(LedgerError) -> NamespaceName {
    do { return try NamespaceName(text) } catch { throw .misuse }
  }

  static func secret(_ text: String) throws(LedgerError) -> SecretBytes {
    do { return try SecretBytes(copying: Array(text.utf8).span) } catch { throw .memory(error) }
  }
}
