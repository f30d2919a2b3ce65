import Foundation
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

@Suite struct CommitSealedTimeTests {
  private static let wrong = [UInt8](repeating: 0x77, count: 32)

  /// A sealed vault in which unsealing has failed three times.
  private func failed() throws -> CommitTestVault {
    let test = try CommitTestVault()
    try test.publicKey("a")
    try test.seal()
    for _ in 0..<3 { #expect(code { try test.unseal(Self.wrong) } == .wrongSecret) }
    return test
  }

  private func rows(_ test: CommitTestVault) throws -> [(batch: Int64, hasMAC: Bool)] {
    let connection = try test.directory.database.openReader()
    return try connection.outboxRows(from: 0, limit: 100).map { ($0.batch, $0.mac != nil) }
  }

  @Test(arguments: [false, true])
  func `failed attempts are recorded, and vouched for after the next unsealing`(
    _ isRestarted: Bool
  ) throws {
    var test = try failed()
    #expect(try rows(test).suffix(3).allSatisfy { !$0.hasMAC })
    if isRestarted { test = try test.restarted(isSealed: true) }
    try test.unseal()
    #expect(test.damage == [])
    #expect(try rows(test).allSatisfy(\.hasMAC))
    let log = try AuditLog(test)
    let attempts = log.lines.filter { $0.method == "unseal" }
    #expect(attempts.map(\.code) == [nil, "wrong_secret", "wrong_secret", "wrong_secret", nil])
    #expect(attempts.map(\.outcome) == ["ok", "refused", "refused", "refused", "ok"])
    #expect(try test.restarted().damage == [])
  }

  @Test func `the fourth failure and later ones wait, and attempts meanwhile leave no line`() throws
  {
    let test = try failed()
    #expect(code { try test.unseal(Self.wrong) } == .wrongSecret)
    let lines = test.vault.committer.status.sequence
    #expect(code { try test.unseal() } == .rateLimited)
    #expect(test.vault.committer.status.sequence == lines)
    test.clock.advance(boot: 2)
    try test.unseal()
    #expect(try rows(test).count > 0)
  }

  @Test(arguments: [
    "DELETE FROM audit_outbox WHERE mac IS NULL",
    "DELETE FROM audit_outbox WHERE batch = (SELECT max(batch) FROM audit_outbox)",
    "DELETE FROM audit_outbox WHERE batch = (SELECT max(batch) - 1 FROM audit_outbox)",
    "UPDATE audit_outbox SET lines = CAST(replace(CAST(lines AS TEXT), 'wrong_secret', 'rate_limited') AS BLOB)"
      + " WHERE mac IS NULL",
    "UPDATE audit_outbox SET lines = CAST(replace(CAST(lines AS TEXT), '\"seq\":', '\"seq\":1')"
      + " AS BLOB) WHERE batch = (SELECT max(batch) FROM audit_outbox)",
    "UPDATE audit_outbox SET mac = zeroblob(32) WHERE mac IS NULL",
    "UPDATE audit_outbox SET batch = batch + 100 WHERE mac IS NULL",
    "UPDATE audit_outbox SET batch = 9223372036854775807"
      + " WHERE batch = (SELECT max(batch) FROM audit_outbox)",
    "INSERT INTO audit_outbox SELECT batch + 1, last_seq + 1, last_seq + 1, lines, NULL"
      + " FROM audit_outbox WHERE batch = (SELECT max(batch) FROM audit_outbox)",
  ])
  func `changed, removed and added lines of the sealed time are noticed while the daemon runs`(
    _ sql: String
  ) throws {
    let test = try failed()
    try test.directory.tamper(sql)
    try test.unseal()
    #expect(test.damage == [AuditFinding.sealedTime.words], "\(sql)")
    let log = try AuditLog(test)
    #expect(log.lines.last { $0.method == "vault.damage" }?.code == "damaged")
    try test.sign("a")
    #expect(try rows(test).allSatisfy(\.hasMAC))
    #expect(try test.restarted().damage == [])
  }

  @Test(arguments: [
    "DELETE FROM audit_outbox WHERE batch = (SELECT max(batch) - 1 FROM audit_outbox)",
    "UPDATE audit_outbox SET lines = CAST(replace(CAST(lines AS TEXT), 'wrong_secret', 'rate_limited') AS BLOB)"
      + " WHERE batch = (SELECT max(batch) - 1 FROM audit_outbox)",
    "UPDATE audit_outbox SET batch = 9223372036854775807, first_seq = 9223372036854775807,"
      + " last_seq = 9223372036854775807 WHERE batch = (SELECT max(batch) FROM audit_outbox)",
    "UPDATE state SET epoch = 9223372036854775807, seq = 9223372036854775807",
  ])
  func
    `whatever stands in the outbox, a restarted daemon runs, and says what does not hold together`(
      _ sql: String
    ) throws
  {
    let test = try failed()
    test.vault.close()
    let copy = try LedgerTestVault(copying: test.directory)
    try copy.tamper(sql)
    let sealed = try CommitTestVault(copy, isSealed: true)
    #expect(code { try sealed.unseal(Self.wrong) } == .wrongSecret)
    if sql.contains("state") {
      #expect(code { try sealed.unseal() } == .damaged)
      return
    }
    try sealed.unseal()
    #expect(sealed.damage == [AuditFinding.sealedTime.words], "\(sql)")
    try sealed.sign("a")
    #expect(try sealed.restarted().damage == [])
  }

  @Test func `unsealing twice at once opens once`() throws {
    let test = try CommitTestVault(isSealed: true)
    let answers = (0..<4).map { _ in Answer<(value: UnsealAnswer, sequence: Int64)>() }
    for answer in answers {
      test.vault.unseal(
        try CommitTestVault.secret(LedgerTestVault.first), slot: nil, by: CommitTestVault.subject,
        answer.reply)
    }
    let results = try answers.map { try $0.result() }
    #expect(results.count { if case .success = $0 { true } else { false } } == 1)
    for case .failure(let error) in results { #expect([.busy, .conflict].contains(error.code)) }
    #expect(test.vault.isUnsealed)
  }

  @Test func `keys are gone when sealing has answered`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    try test.publicKey("a")
    try test.sign("a")
    weak var keys = test.vault.ledger.unsealed?.keys
    weak let opened = test.vault.cache.find(try NamespaceName("a"))
    #expect(keys != nil && opened != nil)
    try test.seal()
    #expect(keys == nil && opened == nil)
    try test.unseal()
    keys = test.vault.ledger.unsealed?.keys
    #expect(keys != nil)
    test.vault.close()
    #expect(keys == nil && !test.vault.isUnsealed)
  }

  @Test func `a stopped vault refuses, and answers what was queued before`() throws {
    let held = HeldCall([])
    let test = try CommitTestVault()
    try test.publicKey("a")
    let name = try NamespaceName("a")
    let before = Answer<CommitTestVault.Numbered<SignatureAnswer>>()
    let after = Answer<CommitTestVault.Numbered<SignatureAnswer>>()
    let closing = DispatchGroup()
    let vault = test.vault
    held.holdCommitter(vault) {
      test.worker.sign(name, .message([1]), by: CommitTestVault.subject, before.reply)
      DispatchQueue.global().async(group: closing) { vault.close() }
      while vault.committer.isAccepting {}
      test.worker.sign(name, .message([1]), by: CommitTestVault.subject, after.reply)
    }
    closing.wait()
    _ = try before.get()
    #expect(code { _ = try after.get() } == .busy)
    #expect(before.count == 1 && after.count == 1)
  }
}
