import Foundation
import SecureMemory
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// Every way to change a vault behind its back that we could think of: each is named, what it does
/// not touch keeps working, and nothing that was removed is ever called absent.
@Suite struct LedgerTamperTests {
  static let names = (0..<12).map { "site-\($0)/door" }
  static let victim = "site-3/door"
  static let tombstone = "site-7/door"

  /// A vault with history: an older copy, a tombstone, a removed slot, and everything in use.
  struct Fixture {
    let vault: LedgerTestVault
    /// The same vault before the last changes.
    let older: LedgerTestVault
    /// Another vault with the same names.
    let other: LedgerTestVault
    let buckets: [String: Int64]
    let ids: [String: NamespaceID]

    private static func fill(_ vault: LedgerTestVault) throws {
      let open = try vault.open()
      try open.commit { writer in
        for name in names {
          try writer.create(name)
          try writer.put("key of \(name)", .key, "presentation/1", in: name)
          try writer.put("pass of \(name)", .pass, "pass", in: name)
        }
      }
    }

    init() throws {
      vault = try LedgerTestVault()
      other = try LedgerTestVault()
      try Self.fill(vault)
      try Self.fill(other)
      do {
        let open = try vault.open()
        let slot = try open.ledger.prepareSlot(
          try LedgerTestVault.secret([UInt8](repeating: 0x33, count: 32)), label: "third",
          created: 1)
        _ = try open.commit { try $0.addSlot(slot) }
      }
      older = try LedgerTestVault(copying: vault)
      let open = try vault.open()
      try open.commit { writer in
        try writer.put("new key", .key, "presentation/1", in: victim)
        _ = try writer.setSuspended(true, try NamespaceName(victim), at: 9)
        _ = try writer.bury(try NamespaceName(tombstone), at: 10)
        try writer.removeSlot(3)
        _ = try writer.setPolicy(Array("user:2000".utf8))
        try writer.addToOutbox(OutboxRow(batch: 1, firstSeq: 1, lastSeq: 2, lines: [1], mac: nil))
      }
      var buckets: [String: Int64] = [:]
      var ids: [String: NamespaceID] = [:]
      for name in names {
        let entry = try #require(try open.namespace(name))
        buckets[name] = entry.row.bucket
        ids[name] = entry.id
      }
      self.buckets = buckets
      self.ids = ids
    }

    func bucket(_ name: String) -> Int64 { buckets[name] ?? -1 }

    /// The names in the same index page.
    func neighbours(_ name: String) -> Set<String> {
      Set(buckets.filter { $0.value / 64 == bucket(name) / 64 }.keys)
    }
  }

  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
  }

  /// What a tampered vault shows: damage named at unsealing, by names, and by records.
  struct Findings {
    var refused: LedgerError?
    var report: [Damage] = []
    var lookups: [String: Damage] = [:]
    var records: [String: Damage] = [:]
    var policy: Damage?
  }

  /// Uses everything in a vault; anything but the right content or named damage is an issue.
  private func inspect(_ vault: LedgerTestVault) throws -> Findings {
    var findings = Findings()
    let open: OpenTestLedger
    do {
      open = try vault.open(slot: 1)
    } catch let error as LedgerError {
      findings.refused = error
      return findings
    }
    findings.report = open.report.damage
    for name in Self.names {
      do throws(LedgerError) {
        let found = try open.reader.read { snapshot throws(LedgerError) in
          try snapshot.namespace(named: try LedgerTests.name(name))
        }
        #expect(found != nil, "\(name) is called absent")
        #expect(found?.state == state(name))
      } catch {
        if case .damaged(let damage) = error { findings.lookups[name] = damage; continue }
        Issue.record(error)
      }
      guard name != Self.tombstone else { continue }
      for (kind, id) in [(RecordKind.key, "presentation/1"), (.pass, "pass")] {
        do {
          let content = try open.record(name, kind, id)
          #expect(content == Array(self.content(name, kind).utf8), "\(name) \(kind)")
        } catch LedgerError.damaged(let damage) {
          findings.records["\(name) \(kind)"] = damage
        }
      }
    }
    do {
      try open.reader.read { snapshot throws(LedgerError) in
        let policy = try snapshot.policy()
        #expect(
          policy.octets.withBytes { bytes in bytes.indices.map { bytes[$0] } }
            == Array("user:2000".utf8))
      }
    } catch LedgerError.damaged(let damage) {
      findings.policy = damage
    }
    // A name that was never used is still proven absent, unless its own bucket is hit.
    _ = try? open.namespace("never/used")
    return findings
  }

  private func state(_ name: String) -> NamespaceState {
    switch name {
    case Self.tombstone: .tombstone
    case Self.victim: .suspended
    default: .active
    }
  }

  private func content(_ name: String, _ kind: RecordKind) -> String {
    if kind == .pass { return "pass of \(name)" }
    return name == Self.victim ? "new key" : "key of \(name)"
  }

  private func tampered(_ sql: String) throws -> (Fixture, Findings, LedgerTestVault) {
    let vault = try LedgerTestVault(copying: fixture.vault)
    try vault.tamper(sql)
    return (fixture, try inspect(vault), vault)
  }

  /// The columns of a table, from SQLite itself.
  private func columns(_ table: String) throws -> [(name: String, type: String)] {
    let connection = try SQLiteConnection(
      path: fixture.vault.path + "/vault.db", access: .readOnly)
    let statement = try connection.prepare(
      "SELECT name, type FROM pragma_table_info('\(table)')", .state)
    var columns: [(String, String)] = []
    while try statement.step() { columns.append((try statement.text(0), try statement.text(1))) }
    return columns
  }

  /// SQL that flips one bit of a column, by its type.
  private static func flip(_ column: (name: String, type: String)) -> String {
    switch column.type {
    case "INTEGER": "\(column.name) = \(column.name) + 4096"
    case "TEXT": "\(column.name) = substr(\(column.name), 1, length(\(column.name)) - 1) || 'z'"
    default: ""
    }
  }

  /// Flips a bit in a column of the row that a condition names, and gives the findings.
  private func flipped(
    _ table: String, _ column: (name: String, type: String), _ condition: String
  ) throws -> (Fixture, Findings) {
    let vault = try LedgerTestVault(copying: fixture.vault)
    if column.type == "BLOB" {
      let connection = try SQLiteConnection(path: vault.path + "/vault.db", access: .readWrite)
      let statement = try connection.prepare(
        "SELECT hex(\(column.name)) FROM \(table) WHERE \(condition)", .state)
      #expect(try statement.step())
      var hex = Array(try statement.text(0))
      statement.reset()
      #expect(!hex.isEmpty, "\(table).\(column.name) has no bit to flip")
      let place = hex.count / 2
      hex[place] = hex[place] == "0" ? "1" : "0"
      try vault.tamper("UPDATE \(table) SET \(column.name) = x'\(String(hex))' WHERE \(condition)")
    } else {
      try vault.tamper("UPDATE \(table) SET \(Self.flip(column)) WHERE \(condition)")
    }
    return (fixture, try inspect(vault))
  }

  private func expectOnly(
    _ findings: Findings, _ names: Set<String>, _ damage: Damage,
    _ comment: Comment? = nil, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(findings.refused == nil, comment, sourceLocation: place)
    #expect(Set(findings.lookups.keys) == names, comment, sourceLocation: place)
    #expect(findings.lookups.values.allSatisfy { $0 == damage }, comment, sourceLocation: place)
  }

  @Test func `the untouched vault shows nothing`() throws {
    let findings = try inspect(try LedgerTestVault(copying: fixture.vault))
    #expect(findings.refused == nil && findings.report.isEmpty && findings.policy == nil)
    #expect(findings.lookups.isEmpty && findings.records.isEmpty)
  }

  @Test func `a bit in any column of the vault and state rows keeps the vault sealed`() throws {
    for (table, damage) in [("vault", Damage.vaultRow), ("state", .stateRow)] {
      for column in try columns(table) {
        let (_, findings) = try flipped(table, column, "1")
        #expect(findings.refused == .damaged(damage), "\(table).\(column.name)")
      }
    }
  }

  @Test func `a bit in any column of a namespace row is damage of its bucket`() throws {
    for name in [Self.victim, Self.tombstone] {
      for column in try columns("namespace") {
        // A tombstone has no wrapped key to flip.
        if name == Self.tombstone && column.name.hasPrefix("key_") { continue }
        let (_, findings) = try flipped("namespace", column, "name = '\(name)'")
        expectOnly(findings, [name], .bucket(fixture.bucket(name)), "\(column.name)")
        #expect(findings.report.isEmpty)
      }
    }
    let vault = try LedgerTestVault(copying: fixture.vault)
    try vault.tamper(
      "UPDATE namespace SET key_nonce = zeroblob(24), key_box = zeroblob(48) WHERE name = '\(Self.tombstone)'"
    )
    expectOnly(try inspect(vault), [Self.tombstone], .bucket(fixture.bucket(Self.tombstone)))
  }

  @Test func `a bit in any column of a record is damage of its set, or of it alone`() throws {
    let id = try #require(fixture.ids[Self.victim])
    let hex = id.bytes.map { String(format: "%02x", $0) }.joined()
    for column in try columns("record") {
      let (_, findings) = try flipped(
        "record", column, "namespace_id = x'\(hex)' AND record_id = 'pass'")
      #expect(findings.refused == nil && findings.lookups.isEmpty && findings.report.isEmpty)
      if column.name == "box" {
        // The other record of the same namespace still opens.
        #expect(
          findings.records
            == ["\(Self.victim) pass": .record(id, kind: .pass, id: "pass")])
      } else {
        #expect(
          findings.records
            == ["\(Self.victim) pass": .recordSet(id), "\(Self.victim) key": .recordSet(id)],
          "\(column.name)")
      }
    }
  }

  @Test func `a bit in any column of an index page stops its 64 buckets only`() throws {
    let page = fixture.bucket(Self.victim) / 64
    for column in try columns("index_page") {
      let (_, findings) = try flipped("index_page", column, "page = \(page)")
      expectOnly(
        findings, fixture.neighbours(Self.victim), .indexPage(page), "\(column.name)")
      // A page that took another page's number damages that one too.
      #expect(findings.report.contains(.indexPage(page)))
      #expect(column.name == "page" || findings.report == [.indexPage(page)])
    }
    let (_, findings, _) = try tampered("DELETE FROM index_page WHERE page = \(page)")
    expectOnly(findings, fixture.neighbours(Self.victim), .indexPage(page))
  }

  @Test func `a damaged index group is named, and its pages prove themselves`() throws {
    let group = fixture.bucket(Self.victim) / 2_048
    for sql in [
      "UPDATE index_group SET digests = zeroblob(1024) WHERE number = \(group)",
      "DELETE FROM index_group WHERE number = \(group)",
      "UPDATE index_group SET number = 99 WHERE number = \(group)",
    ] {
      let (_, findings, _) = try tampered(sql)
      expectOnly(findings, [], .indexGroup(group))
      #expect(findings.report == [.indexGroup(group)])
    }
    // With a page of it damaged as well, nothing proves the rest of the group: all of it stops.
    let page = fixture.bucket(Self.victim) / 64
    let (_, findings, _) = try tampered(
      "DELETE FROM index_group WHERE number = \(group); UPDATE index_page SET used = used + 1 WHERE page = \(page)"
    )
    let affected = fixture.buckets.filter { $0.value / 2_048 == group }
    #expect(Set(findings.lookups.keys) == Set(affected.keys))
    #expect(findings.report == [.indexGroup(group)])
  }

  @Test func `a bit in the policy is named and stops the policy only`() throws {
    for column in try columns("policy") {
      let (_, findings) = try flipped("policy", column, "1")
      #expect(findings.policy == .policy && findings.report == [.policy], "\(column.name)")
      #expect(findings.lookups.isEmpty && findings.records.isEmpty)
    }
  }

  @Test func `a bit in a slot is named, and the other slot still opens`() throws {
    for column in try columns("slot") {
      let (_, findings) = try flipped("slot", column, "slot = 2")
      #expect(findings.refused == nil)
      #expect(findings.report.contains(.slot(2)), "\(column.name)")
      let (_, refused) = try flipped("slot", column, "slot = 1")
      #expect(refused.refused != nil)
    }
    let (_, findings, _) = try tampered("DELETE FROM slot WHERE slot = 2")
    #expect(findings.report == [.slot(2)])
  }

  @Test func `a deleted row is never absence`() throws {
    for name in Self.names {
      let (_, findings, vault) = try tampered("DELETE FROM namespace WHERE name = '\(name)'")
      expectOnly(findings, [name], .bucket(fixture.bucket(name)))
      // Nor can the name be made again in its place.
      let open = try vault.open()
      #expect(throws: LedgerError.damaged(.bucket(fixture.bucket(name)))) {
        try open.commit { try $0.create(name) }
      }
    }
    for table in ["vault", "state"] {
      let (_, findings, _) = try tampered("DELETE FROM \(table)")
      #expect(findings.refused == .damaged(table == "vault" ? .vaultRow : .stateRow))
    }
    let (_, policy, _) = try tampered("DELETE FROM policy")
    #expect(policy.policy == .policy)
    let (_, record, vault) = try tampered("DELETE FROM record WHERE record_id = 'pass'")
    let expected = Self.names.filter { $0 != Self.tombstone }
    for name in expected {
      let id = try #require(fixture.ids[name])
      #expect(record.records["\(name) pass"] == .recordSet(id))
      #expect(record.records["\(name) key"] == .recordSet(id))
    }
    // A record cannot be made again in the place of one that vanished.
    let open = try vault.open()
    let id = try #require(fixture.ids[Self.victim])
    #expect(throws: LedgerError.damaged(.recordSet(id))) {
      try open.commit { try $0.put("again", .pass, "pass", in: Self.victim) }
    }
    // But a damaged namespace can still be revoked.
    _ = try open.commit { try $0.bury(try NamespaceName(Self.victim), at: 20) }
    #expect(try open.namespace(Self.victim)?.state == .tombstone)
  }

  @Test func `an older row put back is damage`() throws {
    let id = try #require(fixture.ids[Self.victim])
    func replay(_ sql: String) throws -> Findings {
      let vault = try LedgerTestVault(copying: fixture.vault)
      try vault.tamper(sql, attach: fixture.older)
      return try inspect(vault)
    }
    for name in [Self.victim, Self.tombstone] {
      let findings = try replay(
        "INSERT OR REPLACE INTO main.namespace SELECT * FROM other.namespace WHERE name = '\(name)'"
      )
      expectOnly(findings, [name], .bucket(fixture.bucket(name)))
    }
    let record = try replay("INSERT OR REPLACE INTO main.record SELECT * FROM other.record")
    #expect(record.records["\(Self.victim) key"] == .recordSet(id))
    // Row and records and page of the time before: the page is older than its group says.
    let page = fixture.bucket(Self.victim) / 64
    let together = try replay(
      """
      INSERT OR REPLACE INTO main.namespace SELECT * FROM other.namespace;
      INSERT OR REPLACE INTO main.record SELECT * FROM other.record;
      INSERT OR REPLACE INTO main.index_page SELECT * FROM other.index_page;
      """)
    #expect(together.lookups[Self.victim] == .indexPage(page))
    #expect(together.report.contains(.indexPage(page)))
    // With the groups as well, the state row's root disagrees.
    let groups = try replay(
      """
      INSERT OR REPLACE INTO main.namespace SELECT * FROM other.namespace;
      INSERT OR REPLACE INTO main.record SELECT * FROM other.record;
      INSERT OR REPLACE INTO main.index_page SELECT * FROM other.index_page;
      INSERT OR REPLACE INTO main.index_group SELECT * FROM other.index_group;
      """)
    #expect(groups.lookups[Self.victim] == .indexPage(page))
    #expect(groups.report.contains(.indexGroup(page / 32)))
    let policy = try replay("INSERT OR REPLACE INTO main.policy SELECT * FROM other.policy")
    #expect(policy.policy == .policy && policy.report == [.policy])
    // An older state row is authentic by itself; index, slots and policy show what it is.
    let state = try replay("INSERT OR REPLACE INTO main.state SELECT * FROM other.state")
    #expect(state.report.contains(.policy) && state.report.contains(.slot(3)))
    #expect(state.lookups[Self.victim] != nil && state.lookups[Self.tombstone] != nil)
  }

  @Test func `a removed slot put back neither opens nor goes unnoticed`() throws {
    let vault = try LedgerTestVault(copying: fixture.vault)
    try vault.tamper(
      "INSERT INTO main.slot SELECT * FROM other.slot WHERE slot = 3", attach: fixture.older)
    #expect(throws: LedgerError.damaged(.slot(3))) {
      try vault.open([UInt8](repeating: 0x33, count: 32))
    }
    let open = try vault.open()
    #expect(open.report.damage == [.slot(3)])
    // It can be removed again, and the number of the next slot is not its own.
    try open.commit { try $0.removeSlot(3) }
    let slot = try open.ledger.prepareSlot(
      try LedgerTestVault.secret(LedgerTestVault.first), label: "", created: 1)
    #expect(try open.commit { try $0.addSlot(slot) } == 4)
    #expect(try open.ledger.proveAgain().damage == [])
  }

  @Test func `rows of another namespace or another vault do not pass`() throws {
    let a = Self.names[1], b = Self.names[2]
    let ids = try [#require(fixture.ids[a]), #require(fixture.ids[b])]
    let hex = ids.map { $0.bytes.map { String(format: "%02x", $0) }.joined() }
    // The data key of another namespace.
    let (_, key, _) = try tampered(
      """
      UPDATE namespace SET (key_nonce, key_box) =
        (SELECT key_nonce, key_box FROM namespace WHERE name = '\(a)') WHERE name = '\(b)'
      """)
    expectOnly(key, [b], .bucket(fixture.bucket(b)))
    // A record of another namespace, with its header, or only its content.
    let (_, record, _) = try tampered(
      """
      INSERT OR REPLACE INTO record SELECT x'\(hex[1])', kind, record_id, revision, nonce, box
        FROM record WHERE namespace_id = x'\(hex[0])'
      """)
    #expect(record.records["\(b) key"] == .recordSet(ids[1]))
    let (_, box, _) = try tampered(
      """
      UPDATE record SET box = (SELECT box FROM record WHERE namespace_id = x'\(hex[0])'
        AND record_id = 'pass') WHERE namespace_id = x'\(hex[1])' AND record_id = 'pass'
      """)
    #expect(box.records == ["\(b) pass": .record(ids[1], kind: .pass, id: "pass")])
    // Whole tables of another vault.
    func transplant(_ table: String) throws -> Findings {
      let vault = try LedgerTestVault(copying: fixture.vault)
      try vault.tamper(
        "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM other.\(table)",
        attach: fixture.other)
      return try inspect(vault)
    }
    #expect(try transplant("vault").refused == .unseal(.otherVault))
    #expect(try transplant("state").refused == .damaged(.stateRow))
    #expect(try transplant("slot").refused == .unseal(.otherVault))
    #expect(try transplant("policy").policy == .policy)
    let namespaces = try transplant("namespace")
    #expect(Set(namespaces.lookups.keys) == Set(Self.names))
    #expect(try transplant("index_page").lookups.count == Self.names.count)
    #expect(try transplant("index_group").report.count == 32)
    #expect(try transplant("record").records.count == 2 * (Self.names.count - 1))
  }

  @Test func `a planted row is damage of its bucket`() throws {
    let (_, findings, vault) = try tampered(
      """
      INSERT INTO namespace SELECT bucket, 'planted', randomblob(16), 1, 1, 0, 0, 0, 0, 0, 1, 1,
        record_set, key_nonce, key_box FROM namespace WHERE name = '\(Self.victim)'
      """)
    expectOnly(findings, [Self.victim], .bucket(fixture.bucket(Self.victim)))
    // A list names what it cannot prove and gives the rest.
    let open = try vault.open()
    let page = try #require(
      try open.reader.read { snapshot throws(LedgerError) in
        try snapshot.list(after: nil, prefix: "", limit: 100)
      })
    #expect(Set(page.damaged.keys) == ["planted", Self.victim])
    #expect(page.entries.count == Self.names.count - 1)
    #expect(throws: LedgerError.damaged(.bucket(fixture.bucket(Self.victim)))) {
      try open.reader.read { snapshot throws(LedgerError) in
        _ = try snapshot.allNamespaces(prefix: "")
      }
    }
  }
}
