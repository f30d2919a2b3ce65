import AliroEngine
import Foundation
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// What callers see of a vault that somebody has written to while it was closed.
@Suite struct OperationsDamageTests {
  /// A closed vault: `hurt` with keys and a pass, `fine` likewise, `gone` revoked.
  private static func vault() throws -> LedgerTestVault {
    let test = try CommitTestVault()
    for name in ["hurt", "fine"] {
      try test.publicKey(name, .signing)
      try test.door(name)
    }
    try test.publicKey("gone")
    try test.revoke("gone")
    test.vault.close()
    return test.directory
  }

  /// What stays as it was, whatever happened to `hurt` and `gone`.
  private func expectOthersWork(_ test: CommitTestVault, _ comment: String) throws {
    try test.sign("fine")
    #expect(try !test.publicKey("fine", .presentation).value.isNew, "\(comment)")
    #expect(try test.describePass("fine").refusal == nil, "\(comment)")
    let made = try test.publicKey("quite/new")
    #expect(made.value.isNew, "\(comment)")
    try test.sign("quite/new")
    try test.revoke("quite/new")
    #expect(test.vault.isUnsealed)
  }

  private static let hurt = "(SELECT id FROM namespace WHERE name = 'hurt')"
  private static let fine = "(SELECT id FROM namespace WHERE name = 'fine')"
  private static let key = "namespace_id = \(hurt) AND record_id = 'signing/1'"

  @Test(arguments: [
    "UPDATE namespace SET generation = generation + 1 WHERE name = 'hurt'",
    "UPDATE namespace SET state = 2 WHERE name = 'hurt'",
    "UPDATE namespace SET signing_version = 0 WHERE name = 'hurt'",
    "UPDATE namespace SET record_set = zeroblob(32) WHERE name = 'hurt'",
    "UPDATE namespace SET key_box = zeroblob(48) WHERE name = 'hurt'",
    "DELETE FROM namespace WHERE name = 'hurt'",
    "DELETE FROM namespace WHERE name = 'hurt'; DELETE FROM record WHERE namespace_id = \(hurt)",
    "DELETE FROM record WHERE namespace_id = \(hurt)",
    "DELETE FROM record WHERE \(key)",
    "UPDATE record SET nonce = zeroblob(24) WHERE \(key)",
    "UPDATE record SET box = zeroblob(length(box)) WHERE \(key)",
    "UPDATE record SET revision = 2 WHERE \(key)",
    "UPDATE record SET record_id = 'signing/2' WHERE \(key)",
    "UPDATE record SET box = (SELECT box FROM record WHERE namespace_id = \(fine)"
      + " AND record_id = 'signing/1') WHERE \(key)",
    "UPDATE record SET nonce = (SELECT nonce FROM record WHERE namespace_id = \(fine) AND"
      + " record_id = 'signing/1'), box = (SELECT box FROM record WHERE namespace_id = \(fine)"
      + " AND record_id = 'signing/1') WHERE \(key)",
    "UPDATE index_page SET digests = zeroblob(length(digests)) WHERE page ="
      + " (SELECT bucket / 64 FROM namespace WHERE name = 'hurt')",
    "UPDATE index_page SET used = 0, digests = x'' WHERE page ="
      + " (SELECT bucket / 64 FROM namespace WHERE name = 'hurt')",
    "DELETE FROM index_page WHERE page = (SELECT bucket / 64 FROM namespace WHERE name = 'hurt')",
  ])
  func `a damaged namespace or key says so, and no new key takes its place`(_ sql: String) throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(sql)
    let test = try CommitTestVault(directory)
    for _ in 0..<2 {
      #expect(code { try test.publicKey("hurt", .signing) } == .damaged, "\(sql)")
      #expect(code { try test.sign("hurt") } == .damaged, "\(sql)")
    }
    #expect(code { try test.describe("hurt") } == .damaged, "\(sql)")
    try expectOthersWork(test, sql)
    let again = try test.restarted()
    #expect(code { try again.publicKey("hurt", .signing) } == .damaged, "\(sql)")
  }

  @Test(arguments: [
    "DELETE FROM namespace WHERE name = 'gone'",
    "UPDATE namespace SET state = 1, key_nonce = zeroblob(24), key_box = zeroblob(48)"
      + " WHERE name = 'gone'",
    "UPDATE namespace SET name = 'gone2' WHERE name = 'gone'",
  ])
  func `a tombstone that was removed or raised does not free its name`(_ sql: String) throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(sql)
    let test = try CommitTestVault(directory)
    #expect(code { try test.publicKey("gone") } == .damaged)
    #expect(code { try test.sign("gone") } == .damaged)
    #expect(
      code {
        _ = try test.ask {
          test.worker.createNamespace(
            try NamespaceName("gone"), by: CommitTestVault.subject, $0)
        }
      } == .damaged)
    try expectOthersWork(test, sql)
  }

  @Test(arguments: [
    "UPDATE record SET box = zeroblob(length(box)) WHERE namespace_id = \(hurt) AND kind = 2",
    "UPDATE record SET box = (SELECT box FROM record WHERE namespace_id = \(fine) AND kind = 2)"
      + " WHERE namespace_id = \(hurt) AND kind = 2",
  ])
  func `a damaged pass hurts nothing but itself, and a new one heals it`(_ sql: String) throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(sql)
    let test = try CommitTestVault(directory)
    #expect(code { try test.describePass("hurt") } == .damaged)
    #expect(try test.open("hurt").value.refusal?.code == .damaged)
    try test.sign("hurt")
    let key = try test.publicKey("hurt", .presentation).value
    #expect(!key.isNew)
    try expectOthersWork(test, sql)
    #expect(try test.storePass(TestPass.pass(for: key.key), "hurt").value.replaced)
    #expect(try test.describePass("hurt").refusal == nil)
  }

  @Test func `a damaged presentation key keeps its pass from being shown`() throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(
      "UPDATE record SET box = zeroblob(length(box)) WHERE namespace_id = \(Self.hurt)"
        + " AND record_id = 'presentation/1'")
    let test = try CommitTestVault(directory)
    #expect(code { try test.publicKey("hurt", .presentation) } == .damaged)
    #expect(code { try test.describePass("hurt") } == .damaged)
    #expect(try test.open("hurt").value.refusal?.code == .damaged)
    try test.sign("hurt")
    // Taking away works all the same, and then there can be a new one.
    let deleted = try test.deletePass("hurt").value
    #expect(deleted.hadKey && deleted.hadPass)
    #expect(try test.publicKey("hurt", .presentation).value.version == 2)
    try expectOthersWork(test, "presentation key")
  }

  @Test func `a damaged namespace can be revoked as long as its row is whole`() throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper("UPDATE record SET nonce = zeroblob(24) WHERE \(Self.key)")
    let test = try CommitTestVault(directory)
    #expect(code { try test.sign("hurt") } == .damaged)
    try test.revoke("hurt")
    #expect(code { try test.sign("hurt") } == .revoked)
  }

  @Test(arguments: [
    "UPDATE vault SET created = created + 1", "UPDATE vault SET instance_id = zeroblob(16)",
    "UPDATE state SET epoch = epoch - 1", "UPDATE state SET clock_floor = 0",
    "UPDATE state SET chain_head = zeroblob(32)", "DELETE FROM state",
    "UPDATE state SET erasure_pending = 7",
  ])
  func `a vault whose root is damaged does not open`(_ sql: String) throws {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(sql)
    let test = try CommitTestVault(directory, isSealed: true)
    #expect(code { try test.unseal() } == .damaged)
    #expect(!test.vault.isUnsealed)
    #expect(code { try test.sign("fine") } == .sealed)
  }

  @Test func `damage that leaves the rest usable is listed, and recorded once it is found`() throws
  {
    let directory = try LedgerTestVault(copying: Self.vault())
    try directory.tamper(
      """
      UPDATE policy SET box = zeroblob(length(box));
      UPDATE slot SET body = zeroblob(length(body)) WHERE slot = 2;
      UPDATE index_group SET digests = zeroblob(1024) WHERE number = 3;
      """)
    let test = try CommitTestVault(directory)
    #expect(
      Set(test.damage) == [
        Damage.policy.words, Damage.slot(2).words, Damage.indexGroup(3).words,
      ])
    try expectOthersWork(test, "listed")
    #expect(try AuditLog(test).lines.count { $0.method == "vault.damage" } == 3)
    try test.seal()
    #expect(code { try test.unseal(LedgerTestVault.second, slot: 2) } == .damaged)
    try test.unseal()
  }
}
