import Foundation
import Glibc
import Testing
import VaultCrypto

@testable import VaultCore

/// Whichever call to the audit directory fails, nothing is answered without its line, and the vault
/// goes on by itself when the cause is gone.
@Suite struct AuditFaultTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var code: Int32
    var isLasting: Bool
    var isShort: Bool
    var testDescription: String {
      "errno \(code), \(isLasting ? "lasting" : "once")\(isShort ? ", half done" : "")"
    }

    static let all = [
      Kind(code: ENOSPC, isLasting: true, isShort: false),
      Kind(code: ENOSPC, isLasting: false, isShort: true),
      Kind(code: EIO, isLasting: true, isShort: true),
      Kind(code: EIO, isLasting: false, isShort: false),
      Kind(code: EROFS, isLasting: true, isShort: false),
      Kind(code: EROFS, isLasting: false, isShort: true),
    ]
  }

  /// What a call may be refused with under a fault: the audit directory's trouble, and what follows
  /// for the next call when the seal was opened or not.
  private static let refusals: Set<VaultError.Code> = [
    .auditUnavailable, .storageFull, .sealed, .conflict, .rateLimited, .revoked,
  ]

  /// The calls of one round: lines, rotations, checkpoints, the seal, and the archive.
  private final class Round {
    let test: CommitTestVault
    /// The lines of what was answered.
    var lines: [Int64: String] = [:]
    private(set) var codes: Set<VaultError.Code> = []

    init(_ test: CommitTestVault) {
      self.test = test
    }

    func call(_ method: String, _ body: () throws -> Int64) throws {
      do { lines[try body()] = method } catch let error as VaultError { codes.insert(error.code) }
      // Whatever happens, the vault tells how it fares.
      _ = (test.vault.committer.status, test.vault.committer.lag, test.vault.isUnsealed)
    }

    func run() throws {
      try call("key.public") { try test.publicKey("own").sequence }
      for _ in 0..<4 { try call("key.sign") { try test.sign("own").sequence } }
      try call("audit.checkpoint") { try test.checkpoint().sequence }
      try call("namespace.revoke") { try test.revoke("own") }
      try call("audit.archive") {
        guard let closed = try AuditFaultTests.closings(test.directory).last else {
          throw VaultError(.conflict, "nothing is closed")
        }
        return try test.archive(closed).sequence
      }
      try call("seal") { try test.seal() }
      test.clock.advance(boot: 100)
      try call("unseal") { try test.unseal() }
      try call("key.sign") { try test.sign("kept").sequence }
    }
  }

  /// The checkpoints that closed the segments which are there.
  private static func closings(_ directory: LedgerTestVault) throws -> [AuditCheckpoint] {
    let names = try AuditRotationTests.segments(directory).filter {
      $0 != AuditPruneLog.fileName
    }
    return try names.dropLast().compactMap { name in
      let text = try Data(contentsOf: URL(filePath: directory.path + "/audit/" + name))
      return text.dropLast().split(separator: 10).last.flatMap {
        AuditCheckpoint(line: Array($0))
      }
    }
  }

  @Test(arguments: Kind.all)
  func `no answer goes out without its line, and the service resumes`(_ kind: Kind) throws {
    let first = try CommitTestVault(settings: AuditRotationTests.small)
    try first.publicKey("kept")
    for _ in 0..<8 { try first.sign("kept") }
    first.vault.close()
    var number = 0
    while try fails(after: number, kind, LedgerTestVault(copying: first.directory)) { number += 1 }
    #expect(number > (kind.isShort ? 20 : 40), "\(number) calls")
  }

  /// One round in which a call fails.
  ///
  /// - Returns: whether there were so many calls.
  private func fails(after number: Int, _ kind: Kind, _ directory: LedgerTestVault) throws -> Bool {
    let source = AuditFailingSource(AuditDirectory(path: directory.path + "/audit"))
    let test = try CommitTestVault(directory, audit: source, settings: AuditRotationTests.small)
    let round = Round(test)
    source.fail(
      AuditFailingSource.Fault(
        code: kind.code, after: number, isLasting: kind.isLasting, isShort: kind.isShort,
        isOfWrites: kind.isShort))
    try round.run()
    let failures = source.failures
    source.fail(nil)
    #expect(round.codes.isSubset(of: Self.refusals), "call \(number): \(round.codes)")
    // The fault is gone, and so are its consequences.
    if !test.vault.isUnsealed {
      test.clock.advance(boot: 100)
      try round.call("unseal") { try test.unseal() }
    }
    test.clock.advance(boot: 1)
    try round.call("key.sign") { try test.sign("kept").sequence }
    try round.call("audit.checkpoint") { try test.checkpoint().sequence }
    #expect(test.vault.isUnsealed && test.vault.committer.status.isAvailable)
    #expect(test.vault.committer.status.segmentTrouble == nil, "call \(number)")
    #expect(test.vault.committer.lag == 0, "call \(number)")
    // That it went unread for a while is told, and nothing else.
    #expect(
      test.damage.allSatisfy { $0.hasPrefix("the audit directory could not be read") },
      "call \(number): \(test.damage)")
    try expect(round.lines, "call \(number)", test)
    test.vault.close()
    let again = try CommitTestVault(directory, settings: AuditRotationTests.small)
    #expect(again.damage == [], "call \(number), restarted")
    return failures > 0
  }

  /// Looks for lines in the segments, or in the records of what was taken away.
  private func expect(
    _ lines: [Int64: String], _ comment: String, _ test: CommitTestVault
  ) throws {
    let log = try AuditLog(test)
    for (number, method) in lines where number >= log.lines.first?.sequence ?? 0 {
      let found = log.line(number)
      #expect(found?.method == method && found?.outcome == "ok", "\(comment), line \(number)")
    }
    #expect(lines.keys.contains { $0 >= log.lines.first?.sequence ?? 0 })
  }

  @Test(arguments: [EROFS, EACCES, EPERM, ENOSPC])
  func `segments that can only be read at the start keep nobody out, and are caught up on`(
    _ code: Int32
  ) throws {
    let directory = try LedgerTestVault()
    let first = try CommitTestVault(directory)
    try first.publicKey("a")
    first.vault.close()
    let source = AuditFailingSource(AuditDirectory(path: directory.path + "/audit"))
    source.fail(AuditFailingSource.Fault(code: code, after: 0, isOfWrites: true))
    let test = try CommitTestVault(directory, audit: source)
    #expect(test.damage == [])
    for _ in 0..<5 { try test.sign("a") }
    #expect(test.vault.committer.status.segmentTrouble?.code == code)
    #expect(test.vault.committer.lag >= 5)
    #expect(VaultCoreTests.code { try test.checkpoint() } == .auditUnavailable)
    source.fail(nil)
    test.clock.advance(boot: 1)
    try test.sign("a")
    try test.checkpoint()
    #expect(test.vault.committer.lag == 0 && test.vault.committer.status.segmentTrouble == nil)
    #expect(try AuditLog(test).lines.count { $0.method == "key.sign" } == 6)
  }

  @Test func `more lines than the backlog refuse what adds to them, not what takes away`() throws {
    var settings = VaultSettings()
    settings.auditBacklog = 2
    let directory = try LedgerTestVault()
    let source = AuditFailingSource(AuditDirectory(path: directory.path + "/audit"))
    let test = try CommitTestVault(directory, audit: source, settings: settings)
    for name in ["a", "b"] { try test.publicKey(name) }
    // Once the segment has these lines, but perhaps that of the last one asked for here.
    _ = try AuditLog(test)
    source.fail(AuditFailingSource.Fault(code: ENOSPC, after: 0, isOfWrites: true))
    var lines: [Int64] = []
    while lines.count < 10, let signed = try? test.sign("a") { lines.append(signed.sequence) }
    #expect((2...3).contains(lines.count))
    #expect(code { try test.sign("a") } == .auditUnavailable)
    #expect(code { try test.publicKey("c") } == .auditUnavailable)
    #expect(code { try test.checkpoint() } == .auditUnavailable)
    #expect(!test.vault.committer.status.isAvailable)
    lines.append(try test.revoke("b"))
    lines.append(try test.seal())
    lines.append(try test.unseal())
    #expect(code { try test.sign("a") } == .auditUnavailable)
    source.fail(nil)
    test.clock.advance(boot: 1)
    _ = try? test.sign("a")
    lines.append(try test.sign("a").sequence)
    #expect(test.vault.committer.status.isAvailable && test.damage == [])
    let log = try AuditLog(test)
    for line in lines { #expect(log.line(line)?.outcome == "ok", "line \(line)") }

    // The same without a seal in between: it goes on by itself.
    source.fail(AuditFailingSource.Fault(code: EROFS, after: 0, isOfWrites: true))
    while (try? test.sign("a")) != nil {}
    source.fail(nil)
    #expect(code { try test.sign("a") } == .auditUnavailable)
    test.clock.advance(boot: 1)
    _ = try? test.sign("a")
    try test.sign("a")
    #expect(test.vault.committer.status.isAvailable && test.damage == [])
  }

  @Test func `a new vault whose first segment cannot be made goes on in the database`() throws {
    let directory = try LedgerTestVault()
    let source = AuditFailingSource(AuditDirectory(path: directory.path + "/audit"))
    source.fail(AuditFailingSource.Fault(code: EACCES, after: 0, isOfWrites: true))
    let test = try CommitTestVault(directory, audit: source)
    try test.publicKey("a")
    #expect(test.vault.committer.status.segmentTrouble?.word == "not_permitted")
    #expect(try AuditRotationTests.segments(directory) == [])
    source.fail(nil)
    test.clock.advance(boot: 1)
    try test.sign("a")
    try test.checkpoint()
    let log = try AuditLog(test)
    #expect(log.lines.first?.sequence == 1)
    #expect(test.damage == [])
  }

  @Test func `segments that cannot be read at the start are looked at as soon as they can be`()
    throws
  {
    let directory = try LedgerTestVault()
    let first = try CommitTestVault(directory)
    try first.publicKey("a")
    first.vault.close()
    let old = try LedgerTestVault(copying: directory)
    let source = AuditFailingSource(AuditDirectory(path: directory.path + "/audit"))
    source.fail(AuditFailingSource.Fault(code: EACCES, after: 0))
    let test = try CommitTestVault(directory, audit: source)
    for _ in 0..<3 { try test.sign("a") }
    #expect(test.vault.committer.status.segmentTrouble?.word == "not_permitted")
    #expect(test.vault.committer.lag >= 4)
    source.fail(nil)
    test.clock.advance(boot: 1)
    try test.sign("a")
    try test.checkpoint()
    #expect(test.damage.count == 1)
    #expect(test.damage.first?.hasPrefix("the audit directory could not be read") == true)
    #expect(try AuditLog(test).lines.count { $0.method == "key.sign" } == 4)
    try test.revoke("a")
    test.vault.close()

    // What an unreadable directory hides comes to light with it: the database is an old one.
    for name in ["vault.db", "vault.db-wal"] {
      try? FileManager.default.removeItem(atPath: directory.path + "/" + name)
      try? FileManager.default.copyItem(
        atPath: old.path + "/" + name, toPath: directory.path + "/" + name)
    }
    source.fail(AuditFailingSource.Fault(code: EACCES, after: 0))
    let back = try CommitTestVault(directory, audit: source)
    try back.sign("a")
    source.fail(nil)
    back.clock.advance(boot: 1)
    // With this call, or in a pause of the committer just before it.
    let refusals: [VaultError.Code?] = [.auditUnavailable, .sealed]
    #expect(refusals.contains(code { try back.checkpoint() }))
    #expect(code { try back.sign("a") } == .sealed)
    #expect(!back.vault.isUnsealed)
    #expect(back.damage.contains { $0.contains("was rolled back") }, "\(back.damage)")
    #expect(code { try back.unseal() } == .damaged)
  }
}
