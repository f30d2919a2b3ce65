import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// What the log says of the beginning and the end of each run of the daemon.
@Suite struct RunRecordTests {
  /// The methods of the daemon's own lines, and of those that open and close the vault.
  private func story(_ test: CommitTestVault) throws -> [String] {
    try AuditLog(test).lines.map(\.method).filter {
      $0.hasPrefix("vault.") || $0 == "unseal" || $0 == "seal"
    }
  }

  /// Waits until the vault's first lines are durable.
  private static func settle(_ test: CommitTestVault) throws {
    let answer = Answer<Int64>()
    test.vault.committer.submit(
      .note(AuditEntry("test.wait", by: .daemon), finish: answer.reply))
    _ = try answer.get()
  }

  @Test func `a run begins with a line and ends with one`() throws {
    let test = try CommitTestVault()
    #expect(try story(test) == ["vault.start", "unseal"])
    let again = try test.restarted()
    #expect(try story(again) == ["vault.start", "unseal", "vault.stop", "vault.start", "unseal"])
  }

  @Test func `a run that ended sealed, or was never unsealed, has its lines too`() throws {
    let test = try CommitTestVault()
    try test.seal()
    var again = try test.restarted(isSealed: true)
    again = try again.restarted()
    #expect(
      try story(again) == [
        "vault.start", "unseal", "seal", "vault.stop", "vault.start", "vault.stop", "vault.start",
        "unseal",
      ])
  }

  @Test(arguments: [false, true])
  func `a crash is recorded by the next run`(_ isSealed: Bool) throws {
    let test = try CommitTestVault(isSealed: isSealed)
    if !isSealed { try test.publicKey("a") }
    try Self.settle(test)
    // What a killed daemon leaves is what stands there now.
    let copy = try CommitTestVault(LedgerTestVault(copying: test.directory))
    let story = try story(copy)
    #expect(
      story == ["vault.start"] + (isSealed ? [] : ["unseal"])
        + ["vault.recovered", "vault.start", "unseal"])
    #expect(copy.damage == [])
    // It is the crash that is recorded, once.
    #expect(try self.story(copy.restarted()) == story + ["vault.stop", "vault.start", "unseal"])
  }

  @Test func `a crash before the first line leaves nothing to recover from`() throws {
    let test = try CommitTestVault()
    test.vault.close()
    // A run that was killed before it had written anything has changed nothing.
    let copy = try LedgerTestVault(copying: test.directory)
    _ = try Ledger.open(copy.database)
    #expect(
      try story(CommitTestVault(copy))
        == ["vault.start", "unseal", "vault.stop", "vault.start", "unseal"])
  }

  @Test func `an outbox without the newest batch is no proof of an orderly end`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    test.vault.close()
    let copy = try LedgerTestVault(copying: test.directory)
    try copy.tamper("DELETE FROM audit_outbox")
    let next = try CommitTestVault(copy)
    #expect(try story(next).suffix(3) == ["vault.recovered", "vault.start", "unseal"])
  }
}
