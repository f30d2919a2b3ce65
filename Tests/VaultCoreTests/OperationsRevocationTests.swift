import AliroEngine
import Foundation
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct OperationsRevocationTests {
  @Test func `a signature finished before a revocation does not go out after it`() throws {
    let held = HeldCall(["key.sign"])
    let test = try CommitTestVault(hooks: held.hooks)
    try test.publicKey("gone")
    let name = try NamespaceName("gone")
    var line: Int64 = 0
    let answer: Answer<(value: SignatureAnswer, sequence: Int64)> = try held.holding(
      test,
      { $0.sign(name, .message([1]), by: CommitTestVault.subject, $1) },
      { line = try test.revoke("gone") })
    try refused(answer, .revoked)
    let log = try AuditLog(test)
    #expect(log.line(line)?.method == "namespace.revoke")
    #expect(log.lines.last { $0.method == "key.sign" }?.code == "revoked")
    #expect(log.lines.last { $0.method == "key.sign" }.map { $0.sequence > line } == true)
  }

  @Test func `neither does a public key, a list of keys or a description of a pass`() throws {
    let held = HeldCall(["key.public", "key.list", "pass.info", "presentation.open"])
    let test = try CommitTestVault(hooks: held.hooks)
    let subject = CommitTestVault.subject
    for round in 0..<4 {
      let name = try NamespaceName("gone/\(round)")
      try test.door(name.rawValue)
      switch round {
      case 0:
        let answer: Answer<(value: PublicKeyAnswer, sequence: Int64)> = try held.holding(
          test, { $0.publicKey(name, .presentation, by: subject, $1) },
          { try test.revoke(name.rawValue) })
        try refused(answer, .revoked)
      case 1:
        let answer: Answer<(value: [KeyListing], sequence: Int64)> = try held.holding(
          test, { $0.listKeys(name, by: subject, $1) }, { try test.revoke(name.rawValue) })
        try refused(answer, .revoked)
      case 2:
        let answer: Answer<(value: PassDescription, sequence: Int64)> = try held.holding(
          test, { $0.describePass(name, by: subject, $1) },
          { try test.revoke(name.rawValue) })
        try refused(answer, .revoked)
      default:
        let answer: Answer<(value: OpenedPresentation, sequence: Int64)> = try held.holding(
          test, { $0.openPresentation(name, .door, connection: 1, by: subject, $1) },
          { try test.revoke(name.rawValue) })
        try refused(answer, .revoked)
        #expect(test.vault.presentations.count == 0)
      }
    }
  }

  @Test func `deleting a pass withholds what was made with its key`() throws {
    let held = HeldCall(["presentation.exchange", "key.public", "key.sign"])
    let test = try CommitTestVault(hooks: held.hooks)
    let subject = CommitTestVault.subject
    let name = try NamespaceName("door")
    try test.door("door")
    let session = try test.open("door", connection: 5).value.id
    let exchange: Answer<CommitTestVault.Numbered<PresentationStep>> = try held.holding(
      test, { $0.exchange(session, TestPass.auth0, connection: 5, by: subject, $1) },
      { try test.deletePass("door") })
    try refused(exchange, .revoked)
    #expect(code { try test.exchange(session, TestPass.auth0, connection: 5) } == .notFound)

    try test.door("door")
    let key: Answer<CommitTestVault.Numbered<PublicKeyAnswer>> = try held.holding(
      test, { $0.publicKey(name, .presentation, by: subject, $1) },
      { try test.deletePass("door") })
    try refused(key, .revoked)

    // The signing key is still there: its answer may be made again.
    try test.door("door")
    try test.publicKey("door", .signing)
    let signature: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.sign(name, .message([1]), by: subject, $1) },
      { try test.deletePass("door") })
    try refused(signature, .conflict)
    try test.sign("door")
  }

  @Test func `sealing withholds what was finished before it`() throws {
    let held = HeldCall(["key.sign"])
    let test = try CommitTestVault(hooks: held.hooks)
    try test.publicKey("a")
    let name = try NamespaceName("a")
    let answer: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.sign(name, .message([1]), by: CommitTestVault.subject, $1) },
      { try test.seal() })
    try refused(answer, .sealed)
  }

  @Test func `within one batch the order of the queue decides`() throws {
    let held = HeldCall([])
    let test = try CommitTestVault()
    try test.publicKey("first")
    try test.publicKey("last")
    let subject = CommitTestVault.subject
    let (first, last) = (try NamespaceName("first"), try NamespaceName("last"))
    let signatures = (0..<2).map { _ in Answer<CommitTestVault.Numbered<SignatureAnswer>>() }
    let revocations = (0..<2).map { _ in Answer<CommitTestVault.Numbered<NamespaceID>>() }
    held.holdCommitter(test.vault) {
      test.worker.sign(first, .message([1]), by: subject, signatures[0].reply)
      test.worker.revokeNamespace(first, by: subject, revocations[0].reply)
      test.worker.revokeNamespace(last, by: subject, revocations[1].reply)
      test.worker.sign(last, .message([1]), by: subject, signatures[1].reply)
    }
    let early = try signatures[0].get().sequence
    let lines = try revocations.map { try $0.get().sequence }
    try refused(signatures[1], .revoked)
    #expect(lines == [early + 1, early + 2])
    let batches = try AuditLog(test).batches.filter { $0.first <= early && early <= $0.last }
    #expect(batches.count == 1 && batches.first?.last == early + 3)
  }

  @Test func `a revoked name is gone for good: caches, sessions, restarts, new keys`() throws {
    var test = try CommitTestVault()
    try test.door("door")
    try test.publicKey("door", .signing)
    let session = try test.open("door").value.id
    let kept = try test.open("door", connection: 2).value.id
    try test.exchange(kept, TestPass.auth0, connection: 2)
    try test.door("other")
    let other = try test.open("other").value.id
    try test.revoke("door")
    #expect(code { try test.exchange(session, TestPass.auth0) } == .notFound)
    #expect(code { try test.exchange(kept, TestPass.auth0, connection: 2) } == .notFound)
    try test.exchange(other, TestPass.auth0)
    for _ in 0..<3 {
      #expect(code { try test.sign("door") } == .revoked)
      #expect(code { try test.publicKey("door", .presentation) } == .revoked)
      #expect(code { try test.publicKey("door", .signing) } == .revoked)
      #expect(code { _ = try test.describePass("door") } == .revoked)
      #expect(code { try test.deletePass("door") } == .revoked)
      #expect(code { try test.revoke("door") } == .revoked)
      #expect(code { try test.open("door") } == .revoked)
      let found = try test.describe("door")
      #expect(found.entry.state == .tombstone && found.keys.isEmpty && !found.hasPass)
      #expect(test.vault.committer.status.erasurePending == 0)
      test = try test.restarted()
    }
    #expect(try test.describePass("other").refusal == nil)
    #expect(code { try test.revoke("never/was") } == .notFound)
  }

  @Test func `a key read before a revocation is not kept by the cache after it`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    let name = try NamespaceName("a")
    // As a thread would that is overtaken between its read and its insertion.
    let mark = test.vault.cache.mark(name)
    let stale = try OpenNamespace(name, from: try LedgerReader(test.vault.ledger))
    try test.revoke("a")
    test.vault.cache.insert(stale, readSince: mark)
    #expect(test.vault.cache.find(name) == nil)
  }

  @Test func `a change that is refused half-way leaves nothing behind`() throws {
    let held = HeldCall([])
    let test = try CommitTestVault()
    try test.door("door")
    try test.publicKey("door", .signing)
    try test.sign("door")
    let name = try NamespaceName("door")
    let fresh = try NamespaceName("fresh")
    let session = try test.open("door").value.id
    let refusals = (0..<2).map { _ in Answer<CommitTestVault.Numbered<Int>>() }
    let signature = Answer<CommitTestVault.Numbered<SignatureAnswer>>()
    let reason = VaultError(.protocolError, "half-way")
    held.holdCommitter(test.vault) {
      test.vault.committer.submit(
        .mutation(AuditEntry("test.half", by: .daemon)) { context throws(VaultError) -> Int in
          try context.endSessions(of: name)
          _ = try context.create(fresh)
          throw reason
        } finish: {
          refusals[0].reply($0)
        })
      test.vault.committer.submit(
        .mutation(AuditEntry("test.half", by: .daemon)) { context throws(VaultError) -> Int in
          _ = try context.bury(name)
          throw reason
        } finish: {
          refusals[1].reply($0)
        })
      test.worker.sign(name, .message([1]), by: CommitTestVault.subject, signature.reply)
    }
    for refusal in refusals { #expect(code { _ = try refusal.get() } == .protocolError) }
    _ = try signature.get()
    try test.exchange(session, TestPass.auth0)
    #expect(code { try test.describe("fresh") } == .notFound)
    #expect(test.vault.committer.status.erasurePending == 0)
    let half = try AuditLog(test).lines.filter { $0.method == "test.half" }
    #expect(half.map(\.code) == ["protocol_error", "protocol_error"])
    #expect(half.allSatisfy { !$0.isRestrictive })
    try test.restarted().sign("door")
  }
}
