import DiskFaults
import Foundation
import SecureMemory
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

@Suite struct LedgerScaleTests {
  @Test
  func `20,000 namespaces: every statement uses an index, and unsealing reads the index alone`()
    throws
  {
    let recorder = DiskRecorder()
    let vault = try LedgerTestVault(recorder: recorder)
    let count = 20_000
    var open = try vault.open()
    for start in stride(from: 0, to: count, by: 2_000) {
      try open.commit { writer in
        for index in start..<start + 2_000 {
          let name = try NamespaceName("site-\(index % 97)/door-\(index)")
          _ = try writer.createNamespace(named: name, at: 1)
          if index % 20 == 0 { try writer.put("k", .key, "1", in: name.rawValue) }
          // Every namespace has a pass for a group of its own.
          try writer.setReaderGroups(
            [FoundGroup(Self.group(index), isKeyed: index % 2 == 0)], of: name)
        }
      }
    }
    // Once through everything a vault does, so that every statement is prepared.
    let name = "site-\(100 % 97)/door-100"
    try open.commit { writer in
      try writer.put("new", .key, "1", in: name)
      _ = try writer.delete(.key, "1", in: try NamespaceName(name))
      try writer.setReaderGroups([], of: try NamespaceName(name))
      _ = try writer.setDeleteAfter(5, try NamespaceName(name), at: 2)
      _ = try writer.bury(try NamespaceName(name), at: 3)
      let slot = try open.ledger.prepareSlot(
        try LedgerTestVault.secret(LedgerTestVault.first), label: "", created: 1)
      try writer.removeSlot(try writer.addSlot(slot))
      _ = try writer.setPolicy([1])
      try writer.addToOutbox(OutboxRow(batch: 1, firstSeq: 1, lastSeq: 1, lines: [1], mac: nil))
      _ = try writer.setOutboxMAC([UInt8](repeating: 0, count: 32), batch: 1)
      _ = try writer.outbox(from: 1, limit: 3)
      try writer.deleteOutbox(through: 1)
    }
    let connection = open.writer.connection
    _ = try connection.namespacesDue(at: 9, limit: 3)
    let site = try NamespaceName("site-1")
    let door = try NamespaceName("site-1/door-1")
    _ = try open.commit { try $0.livingNames(below: site, limit: 3) }
    let found = try open.reader.read { snapshot throws(LedgerError) in
      _ = try snapshot.list(after: "site-5", prefix: "site", limit: 10)
      _ = try snapshot.slots()
      _ = try snapshot.policy()
      let entry = try snapshot.namespace(named: door)
      let group = FoundGroup(Self.group(1), isKeyed: false)
      if let entry { try snapshot.check(readerGroups: [group], of: entry) }
      return try snapshot.namespaces(
        inGroup: Array(Self.group(1).prefix(8)), within: .everything, limit: 3)
    }
    #expect(found?.map(\.name) == [door.rawValue])
    let statements = connection.statementTexts + open.reader.statementTexts
    #expect(statements.count > 30)
    for sql in statements {
      let plan = try Self.plan(sql, connection)
      // The slots are a handful, and read whole; the last batch is the first step of a walk back.
      guard !sql.contains("FROM slot ORDER BY slot"), !sql.hasSuffix("ORDER BY batch DESC LIMIT 1")
      else { continue }
      #expect(!plan.contains("SCAN"), "\(sql): \(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(sql): \(plan)")
    }
    #expect(try open.writer.truncateLog())
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: vault.path + "/vault.db")[.size] as? Int)
    let before = recorder.reads
    open = try vault.open()
    #expect(open.report.damage == [])
    // A page of the file holds several rows of the index; the namespaces are not read at all.
    #expect(recorder.reads - before < 400)
    #expect(size / 4_096 > 1_400)
    for index in stride(from: 1, to: count, by: 1_111) {
      let found = try open.reader.read { snapshot throws(LedgerError) in
        try snapshot.namespaces(
          inGroup: Array(Self.group(index).prefix(8)), within: .everything, limit: 3)
      }
      let entry = try #require(try open.namespace("site-\(index % 97)/door-\(index)"))
      #expect(found?.map(\.id) == [entry.id])
      #expect(try open.namespace("site-\(index % 97)/none-\(index)") == nil)
    }
  }

  /// The identifier of a group of readers.
  private static func group(_ index: Int) -> [UInt8] {
    [0, 0, 0, 0, 0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: index >> $0) }
      + [UInt8](repeating: 1, count: 8)
  }

  private static func plan(_ sql: String, _ connection: SQLiteConnection) throws -> String {
    let words = ["SELECT", "INSERT", "UPDATE", "DELETE"]
    guard words.contains(where: { sql.hasPrefix($0) }) else { return "" }
    let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql, .state)
    var plan: [String] = []
    while try statement.step() { plan.append(try statement.text(3)) }
    return plan.joined(separator: "; ")
  }
}
