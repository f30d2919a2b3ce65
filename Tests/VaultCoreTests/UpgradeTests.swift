import AccessPolicy
import DiskFaults
import Foundation
import SecureMemory
import Testing
import VaultSchema
import VaultStore
import WireCoding

@testable import VaultCore

/// A vault of schema version 1 with passes, as the release before version 2 left it.
@Suite struct UpgradeTests {
  /// The secret of the vault's key file.
  private static let secret = try? Hex.decode(
    "657573e4390a15cbc5d8f80d7c773a73d9f88bc3380c32c48225050432be461c")

  /// Makes the vault: the script of version 1, the rows, and the audit log.
  private static func vault(recorder: DiskRecorder? = nil) throws -> LedgerTestVault {
    let vault = try LedgerTestVault(recorder: recorder)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: vault.path + "/vault.db" + suffix)
    }
    let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors")
    let rows = vectors.appending(path: "vault-version-1.sql")
    try FileManager.default.copyItem(
      at: vectors.appending(path: "vault-version-1.jsonl"),
      to: URL(filePath: vault.path + "/audit/0000000001.jsonl"))
    let script = String(decoding: try #require(VaultSchema.migrations.first), as: UTF8.self)
    let connection = try SQLiteConnection(
      path: vault.path + "/vault.db", access: .create, vfs: recorder?.vfs)
    try connection.execute(
      "PRAGMA journal_mode=WAL; PRAGMA application_id=\(VaultSchema.applicationID);")
    try connection.execute(
      """
      BEGIN; \(script) PRAGMA user_version=1; \(try String(contentsOf: rows, encoding: .utf8))
      COMMIT;
      """)
    return vault
  }

  private func open(_ directory: LedgerTestVault) throws -> CommitTestVault {
    let test = try CommitTestVault(directory, isSealed: true)
    try test.unseal(try #require(Self.secret))
    return test
  }

  /// An advertisement of a group whose identifier begins with these octets.
  private func matches(_ test: CommitTestVault, _ first: UInt8) throws -> [String] {
    let advertisement =
      [0x02, 0x01, 0x06, 0x1B, 0x16, 0xF2, 0xFF, 0x40, 0] + (first..<first + 8)
      + [UInt8](repeating: 0, count: 14)
    return try test.ask {
      test.worker.matchAdvertisement(
        advertisement, address: [UInt8](repeating: 1, count: 6), in: nil,
        by: CommitTestVault.subject, $0)
    }.matches.map(\.namespace.rawValue)
  }

  private func expectWhole(_ test: CommitTestVault) throws {
    // The answer of a call that comes after: the upgrade is over.
    try test.publicKey("keyed", .presentation)
    // That release stored the first admin alone; nobody is to be locked out by the new one.
    #expect(test.vault.authority.revision == 1)
    #expect(test.vault.authority.policy?.hasAdministrator == true)
    #expect(try matches(test, 0x10) == ["door/front"])
    #expect(try matches(test, 0x50) == ["door/back"])
    #expect(try matches(test, 0x30) == [])
    for name in ["door/front", "door/back"] { #expect(try test.describePass(name).refusal == nil) }
    try test.sign("door/front")
    #expect(try test.describe("gone").entry.state == .tombstone)
    #expect(test.vault.ledger.unsealed?.state.groupsIndexed == true)
    let rows = try test.directory.database.openReader()
      .integer("SELECT count(*) FROM reader_group")
    #expect(rows == 2)
  }

  @Test func `opens, and finds its passes by their groups; once`() throws {
    var test = try open(Self.vault())
    #expect(test.damage == [])
    try expectWhole(test)
    test.vault.close()
    test = try open(test.directory)
    try expectWhole(test)
    // A stored pass can be replaced, and a namespace revoked.
    try test.revoke("door/back")
    #expect(try matches(test, 0x50) == [])
    let log = try AuditLog(test)
    #expect(log.lines.count { $0.method == "vault.upgrade" } == 1)
  }

  @Test func `a row lost after the upgrade is damage, also when the upgrade is claimed undone`()
    throws
  {
    let test = try open(Self.vault())
    try expectWhole(test)
    test.vault.close()
    let copy = try LedgerTestVault(copying: test.directory)
    try copy.tamper("DELETE FROM reader_group")
    let lost = try open(copy)
    #expect(code { try lost.describePass("door/front") } == .damaged)
    lost.vault.close()
    try copy.tamper("UPDATE state SET groups_indexed = 0")
    #expect(code { _ = try open(copy) } == .damaged)
  }

  /// A vault that was unsealed on a disk with too little room for the upgrade.
  private func unsealedOnFullDisk(_ recorder: DiskRecorder) throws -> CommitTestVault? {
    for count in 0..<200 {
      let test = try CommitTestVault(Self.vault(recorder: recorder), isSealed: true)
      recorder.fail(.init(after: count, code: ENOSPC))
      let isUnsealed = (try? test.unseal(try #require(Self.secret))) != nil
      // The upgrade has been tried once this is answered.
      let refusal = code { try test.publicKey("keyed", .presentation) }
      if isUnsealed, refusal == .storageFull { return test }
      recorder.fail(nil)
    }
    return nil
  }

  @Test(arguments: [false, true])
  func `an upgrade that found no room is made up for, with a call or without`(
    _ waits: Bool
  ) throws {
    let recorder = DiskRecorder()
    let test = try #require(try unsealedOnFullDisk(recorder))
    #expect(test.damage == [])
    recorder.fail(nil)
    // Not with each batch: it costs a walk through the whole vault.
    for _ in 0..<2 {
      try test.publicKey("keyed", .presentation)
      #expect(code { _ = try matches(test, 0x10) } == .busy)
    }
    test.clock.advance(boot: 1)
    if waits {
      let deadline = Date(timeIntervalSinceNow: 120)
      while test.vault.ledger.unsealed?.state.groupsIndexed == false, Date() < deadline {
        usleep(10_000)
      }
    } else {
      try test.publicKey("keyed", .presentation)
    }
    try expectWhole(test)
    #expect(try AuditLog(test).lines.count { $0.method == "vault.upgrade" } == 1)
  }

  @Test func `an upgrade that is late knows of the resolving keys that came before it`() throws {
    let recorder = DiskRecorder()
    let test = try #require(try unsealedOnFullDisk(recorder))
    recorder.fail(nil)
    let pass = TestPass.pass(
      for: try test.publicKey("keyed", .presentation).value.key, until: "2099-01-01T00:00:00Z")
    let key = GroupResolvingKey(group: 0, key: try SecretBytes(random: 16))
    try test.storePass(pass, resolvingKeys: [key], "keyed")
    test.clock.advance(boot: 1)
    // It comes after the first call, and so before the answer to the second.
    for _ in 0..<2 { try test.publicKey("keyed", .presentation) }
    #expect(test.vault.ledger.unsealed?.state.groupsIndexed == true)
    #expect(try test.describePass("keyed").refusal == nil)
    // What the upgrade wrote is compared when the namespace is opened anew.
    test.vault.cache.dropAll()
    #expect(try test.describePass("keyed").refusal == nil)
    let rows = try test.directory.database.openReader()
      .integer("SELECT count(*) FROM reader_group WHERE keyed = 1")
    #expect(rows == 1)
  }

  @Test func `attempts of an upgrade are ever further apart, up to a minute`() {
    var times = UpgradeTimes()
    var now: Int64 = 0
    var waits: [Int64] = []
    for _ in 0..<9 {
      #expect(times.isDue(at: now))
      times.postpone(at: now)
      let start = now
      while !times.isDue(at: now) { now += 1 }
      waits.append(now - start)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 64, 64])
  }

  @Test func `whichever operation of the upgrade fails, it is made up for later`() throws {
    let recorder = DiskRecorder()
    var count = 0
    var failures = 0
    while count < 40 {
      let directory = try Self.vault(recorder: recorder)
      let test = try CommitTestVault(directory, isSealed: true)
      recorder.fail(.init(after: count, code: ENOSPC))
      let result = Result { try test.unseal(try #require(Self.secret)) }
      recorder.fail(nil)
      if case .failure = result { failures += 1 }
      test.vault.close()
      try expectWhole(open(directory))
      count += 3
    }
    #expect(failures > 0)
  }
}
