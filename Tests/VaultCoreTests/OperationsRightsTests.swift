import AccessPolicy
import AliroEngine
import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Rights that are seen to once a call has found the namespace that it is about.
@Suite struct OperationsRightsTests {
  private func open(
    _ test: CommitTestVault, _ name: String, connection: UInt64 = 5
  ) throws -> [UInt8] {
    let opened: CommitTestVault.Numbered<OpenedPresentation> = try test.ask {
      test.worker.openPresentation(
        try NamespaceName(name), .door, connection: connection, by: test.gate, $0)
    }
    return opened.value.id
  }

  private func exchange(
    _ test: CommitTestVault, _ id: [UInt8], connection: UInt64 = 5,
    by subject: AuditEntry.Subject
  ) throws {
    let _: CommitTestVault.Numbered<PresentationStep> = try test.ask {
      test.worker.exchange(id, TestPass.auth0, connection: connection, by: subject, $0)
    }
  }

  private func request(
    _ test: CommitTestVault, _ id: [UInt8], by subject: AuditEntry.Subject
  ) throws {
    let _: CommitTestVault.Numbered<PresentationStep> = try test.ask {
      test.worker.request(id, .unsecure, connection: 5, by: subject, $0)
    }
  }

  private func close(
    _ test: CommitTestVault, _ id: [UInt8], by subject: AuditEntry.Subject
  ) throws {
    let _: Int64 = try test.ask {
      test.worker.closePresentation(id, connection: 5, by: subject, $0)
    }
  }

  @Test func `a session ends with the right to its namespace, and no other does`() throws {
    let test = try CommitTestVault()
    for name in ["kept", "lost"] { try test.door(name) }
    try test.govern([("gateway", "kept lost")])
    for method in 0..<3 {
      let calls: [(CommitTestVault, [UInt8], AuditEntry.Subject) throws -> Void] = [
        { try exchange($0, $1, by: $2) }, { try request($0, $1, by: $2) },
        { try close($0, $1, by: $2) },
      ]
      let call = calls[method]
      let (kept, lost) = (try open(test, "kept"), try open(test, "lost"))
      try test.govern([("gateway", "kept"), ("presentation.open", "lost")])
      let later = test.gate
      #expect(code { try call(test, lost, later) } == .forbidden)
      #expect(code { try call(test, lost, later) } == .notFound)
      if method != 1 { try call(test, kept, later) }
      #expect(test.vault.presentations.find(lost, connection: 5, user: 2000) == nil)
      try test.govern([("gateway", "kept lost")])
    }
    let lines = try AuditLog(test).lines.filter { $0.code == "forbidden" }
    #expect(lines.allSatisfy { $0.namespace == "lost" } && !lines.isEmpty)
    #expect(
      lines.allSatisfy {
        String(decoding: $0.text, as: UTF8.self).contains("\"reason\":\"namespace_not_granted\"")
      })
  }

  @Test func `a session answers only to its connection and its user, as one that never was`() throws
  {
    let test = try CommitTestVault()
    try test.door("door")
    try test.govern([("gateway", "door")])
    let id = try open(test, "door")
    func refusal(_ id: [UInt8], connection: UInt64, user: UInt32) -> VaultError? {
      let caller = Caller(uid: user, gid: 1000, groups: [], pid: 42)
      do {
        try exchange(test, id, connection: connection, by: AuditEntry.Subject(caller))
        return nil
      } catch {
        return error as? VaultError
      }
    }
    let never = refusal([UInt8](repeating: 7, count: 16), connection: 5, user: 2000)
    #expect(never?.code == .notFound)
    #expect(refusal(id, connection: 6, user: 2000) == never)
    #expect(refusal(id, connection: 5, user: 2001) == never)
    #expect(refusal(id, connection: 5, user: 2000) == nil)
  }

  private func publicKey(
    _ test: CommitTestVault, _ name: String
  ) throws -> PublicKeyAnswer {
    let answer: CommitTestVault.Numbered<PublicKeyAnswer> = try test.ask {
      test.worker.publicKey(try NamespaceName(name), .signing, by: test.gate, $0)
    }
    return answer.value
  }

  @Test func `a public key makes a namespace only for those who may make one`() throws {
    let test = try CommitTestVault()
    try test.create(["site/there"])
    try test.govern([("key.public", "site/**"), ("namespace.create", "site/free/*")])
    #expect(try publicKey(test, "site/there").isNew)
    #expect(try !publicKey(test, "site/there").isNew)
    #expect(code { _ = try publicKey(test, "site/none") } == .notFound)
    #expect(code { try test.describe("site/none") } == .notFound)
    #expect(try publicKey(test, "site/free/door").isNew)
    try test.revoke("site/there")
    #expect(code { _ = try publicKey(test, "site/there") } == .revoked)
  }

  @Test func `the right to make a namespace is seen to when it would be made`() throws {
    let held = HeldCall([])
    let test = try CommitTestVault()
    try test.govern([("key.public namespace.create", "site/**")])
    let (gate, name) = (test.gate, try NamespaceName("site/door"))
    let answer = Answer<CommitTestVault.Numbered<PublicKeyAnswer>>()
    held.holdCommitter(test.vault) {
      _ = test.queuePolicies([
        CommitTestVault.policy(CommitTestVault.rule("key.public", "site/**"))
      ])
      test.worker.publicKey(name, .signing, by: gate, answer.reply)
    }
    try refused(answer, .notFound)
    #expect(code { try test.describe("site/door") } == .notFound)
  }

  @Test func `what may not be matched any more is left out of what was found`() throws {
    let held = HeldCall(["presentation.match"])
    let test = try CommitTestVault(hooks: held.hooks)
    for name in ["kept", "lost"] { try OperationsMatchTests.door(test, name) }
    try test.govern([("gateway", "kept lost")])
    let gate = test.gate
    let answer: Answer<AdvertisementMatches> = try held.holding(
      test,
      {
        $0.matchAdvertisement(
          OperationsMatchTests.advertisement, address: OperationsMatchTests.address, in: nil,
          by: gate, $1)
      },
      { try test.govern([("gateway", "kept")]) })
    #expect(try answer.get().matches.map(\.namespace.rawValue) == ["kept"])
  }
}
