import DiskFaults
import Foundation
import Glibc
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct CommitFaultTests {
  /// What fails: which files, with what, for how long.
  struct Kind: Sendable, CustomTestStringConvertible {
    var isSegment: Bool
    var code: Int32
    var isLasting: Bool
    var testDescription: String {
      "\(isSegment ? "segment" : "database"), errno \(code), \(isLasting ? "lasting" : "once")"
    }

    static let all = [true, false].flatMap { isSegment in
      // What becomes of segments that are read-only is for the next second: see AuditFaultTests.
      (isSegment ? [ENOSPC, EIO] : [ENOSPC, EIO, EROFS]).flatMap { code in
        [true, false].map { Kind(isSegment: isSegment, code: code, isLasting: $0) }
      }
    }
  }

  /// Calls that were made under a fault, with every answer they got.
  private struct Calls {
    let test: CommitTestVault
    private(set) var counts: [@Sendable () -> Int] = []
    private(set) var codes: Set<VaultError.Code> = []

    init(_ test: CommitTestVault) {
      self.test = test
    }

    mutating func ask<Value: Sendable>(
      _ call: (@escaping @Sendable (Result<Value, VaultError>) -> Void) throws -> Void
    ) throws -> Value? {
      let answer = Answer<Value>()
      try call(answer.reply)
      counts.append { answer.count }
      do { return try answer.get() } catch let error as VaultError {
        codes.insert(error.code)
        return nil
      }
    }

    /// A new key, a signature, a pass deletion and a revocation; what succeeded is promised.
    mutating func run(_ names: (String, String), _ promises: Promises) throws {
      let (worker, subject) = (test.worker, CommitTestVault.subject)
      let (own, gone) = (try NamespaceName(names.0), try NamespaceName(names.1))
      let key = try ask { worker.publicKey(own, .signing, by: subject, $0) }
      if let key {
        promises.state.withLock {
          $0.keys["\(own.rawValue)#signing"] = (key.value.version, key.value.key.uncompressed)
          $0.lines[key.sequence] = "key.public"
        }
      }
      let signature = try ask { worker.sign(own, .message([1]), by: subject, $0) }
      if let signature { promises.state.withLock { $0.lines[signature.sequence] = "key.sign" } }
      // Not promised any more once it was asked for, whatever the answer.
      promises.state.withLock { $0.keys["\(gone.rawValue)#presentation"] = nil }
      let deletion = try ask { worker.deletePass(gone, by: subject, $0) }
      if let deletion { promises.state.withLock { $0.lines[deletion.sequence] = "pass.delete" } }
      let revocation = try ask { worker.revokeNamespace(gone, by: subject, $0) }
      if let revocation {
        promises.state.withLock {
          $0.revoked.insert(gone.rawValue)
          $0.lines[revocation.sequence] = "namespace.revoke"
        }
      }
    }
  }

  @Test(arguments: Kind.all)
  func `whichever write fails, each call is answered once and nothing promised is lost`(
    _ kind: Kind
  ) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let audit = RecordedAudit(directory, recorder)
    let test = try CommitTestVault(directory, audit: audit)
    let promises = Promises()
    var count = 0
    var failures = 1
    while failures > 0 {
      let names = ("own/\(count)", "gone/\(count)")
      try test.publicKey(names.1, .presentation)
      recorder.fail(
        .init(after: count, code: kind.code, isLasting: kind.isLasting) { event in
          guard event.isOfSegment == kind.isSegment else { return false }
          return kind.code == EIO || event.needsSpace
        })
      var calls = Calls(test)
      try calls.run(names, promises)
      failures = recorder.failures
      recorder.fail(nil)
      // A refusal of the namespace that a lost answer has made or not made is as good.
      #expect(
        calls.codes.isSubset(of: [.storageFull, .auditUnavailable, .notFound, .revoked]),
        "\(count): \(calls.codes)")
      if kind.isSegment { #expect(calls.codes == [], "\(count)") }
      // The fault is gone, and so are its consequences.
      try test.publicKey("after/\(count)")
      #expect(test.vault.isUnsealed && test.vault.committer.status.isAvailable)
      #expect(calls.counts.map { $0() } == [1, 1, 1, 1])
      count += 1
    }
    #expect(count > (kind.isSegment ? 8 : 20), "\(count)")
    let state = promises.state.withLock { $0 }
    #expect(state.revoked.count >= 1)
    try test.check(state, "running")
    test.vault.close()
    let again = try CommitTestVault(directory, audit: AuditDirectory(path: audit.directory))
    try again.check(state, "restarted")
  }

  @Test func `a full disk does not keep the vault from sealing`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.publicKey("a")
    recorder.fail(.init(after: 0, code: ENOSPC) { $0.needsSpace })
    #expect(code { try test.publicKey("b") } == .storageFull)
    #expect(!test.vault.committer.status.isAvailable)
    #expect(code { try test.seal() } == .storageFull)
    #expect(!test.vault.isUnsealed)
    #expect(code { try test.sign("a") } == .sealed)
    // Without a line there is no opening.
    #expect(code { try test.unseal() } == .storageFull)
    #expect(!test.vault.isUnsealed)
    recorder.fail(nil)
    try test.unseal()
    #expect(test.damage == [])
    try test.sign("a")
    #expect(try test.publicKey("b").value.isNew)
  }

  @Test func `a segment that cannot be written is caught up on under load`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    recorder.fail(.init(after: 3, code: EIO) { $0.isOfSegment })
    for index in 0..<20 { try test.publicKey("a/\(index)") }
    let written = try lines(directory)
    recorder.fail(nil)
    // Not by a pause: with the next batches.
    let log = try AuditLog(test)
    #expect(log.lines.count { $0.method == "key.public" } == 20)
    #expect(written.count < log.lines.count)
  }
}

/// The lines that the first segment has, closing lines left out.
private func lines(_ directory: LedgerTestVault) throws -> [String] {
  try String(contentsOfFile: directory.path + "/audit/0000000001.jsonl", encoding: .utf8)
    .split(separator: "\n").filter { $0.hasPrefix("{\"seq\"") && $0.hasSuffix("}") }.map(
      String.init)
}
