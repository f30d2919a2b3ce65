import AliroEngine
import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// A suspended namespace: nothing is computed with its keys, and nothing is lost.
@Suite struct OperationsSuspensionTests {
  private func signTranscript(_ test: CommitTestVault, _ key: P256PublicKey) throws {
    let transcript = try OperationsTranscriptTests.transcript(
      TestReader(key), P256PrivateKey.generate().publicKey)
    let _: CommitTestVault.Numbered<SignatureAnswer> = try test.ask {
      test.worker.signTranscript(
        transcript, try NamespaceName("door"), by: CommitTestVault.subject, $0)
    }
  }

  /// That every call that would compute with a key is refused, or that none is.
  private func expectUse(_ test: CommitTestVault, _ key: P256PublicKey, isRefused: Bool) throws {
    let calls: [(String, () throws -> Void)] = [
      ("key.sign", { try test.sign("door") }),
      ("presentation.open", { try test.open("door") }),
      ("presentation.sign", { try signTranscript(test, key) }),
    ]
    for (method, call) in calls {
      do {
        try call()
        #expect(!isRefused, "\(method)")
      } catch let error as VaultError {
        #expect(isRefused && error == .suspended, "\(method): \(error)")
      }
    }
    #expect(VaultError.suspended.code == .keyUnusable && VaultError.suspended.field == "namespace")
  }

  @Test func `computes nothing with its keys until it is resumed, after a restart too`() throws {
    var test = try CommitTestVault()
    let key = try test.door("door")
    try test.publicKey("door", .signing)
    try test.door("other")
    try test.publicKey("other", .signing)
    try expectUse(test, key, isRefused: false)
    let generation = try test.describe("door").entry.generation
    let set = try test.suspend("door").value
    #expect(set.isNew && set.entry.state == .suspended && set.entry.generation > generation)
    for _ in 0..<2 {
      try expectUse(test, key, isRefused: true)
      #expect(try test.describe("door").entry.state == .suspended)
      try test.sign("other")
      try test.open("other")
      test = try test.restarted()
    }
    let resumed = try test.resume("door").value
    #expect(resumed.isNew && resumed.entry.state == .active)
    try expectUse(test, key, isRefused: false)
    test = try test.restarted()
    try expectUse(test, key, isRefused: false)
  }

  @Test func `what it holds can be seen, replaced and taken away`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    try test.publicKey("signer")
    for name in ["door", "signer"] { try test.suspend(name) }
    let known = try test.publicKey("door", .presentation).value
    #expect(known.key == key && !known.isNew)
    // A new key would be one that cannot be used.
    #expect(code { try test.publicKey("signer", .presentation) } == .keyUnusable)
    #expect(try test.describe("door").hasPass)
    #expect(try test.describePass("door").refusal == nil)
    #expect(try test.storePass(TestPass.pass(for: key), "door").value.replaced)
    #expect(try test.deletePass("door").value.hadKey)
    #expect(code { try test.publicKey("door", .presentation) } == .keyUnusable)
    try test.revoke("signer")
    #expect(code { try test.resume("signer") } == .revoked)
    #expect(code { try test.suspend("signer") } == .revoked)
    #expect(code { try test.suspend("nowhere") } == .notFound)
  }

  @Test func `its sessions end, and a resumption does not bring them back`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    try test.door("other")
    let session = try test.open("door", connection: 5).value.id
    let other = try test.open("other", connection: 5).value.id
    try test.suspend("door")
    #expect(test.vault.presentations.count == 1)
    #expect(code { try test.exchange(session, TestPass.auth0, connection: 5) } == .notFound)
    try test.resume("door")
    #expect(code { try test.exchange(session, TestPass.auth0, connection: 5) } == .notFound)
    try test.exchange(other, TestPass.auth0, connection: 5)
  }

  @Test func `an answer under way is withheld, also when the namespace is in use again`() throws {
    let held = HeldCall(["key.sign", "presentation.open", "presentation.exchange"])
    let test = try CommitTestVault(hooks: held.hooks)
    let subject = CommitTestVault.subject
    let name = try NamespaceName("door")
    try test.door("door")
    try test.publicKey("door", .signing)
    let signed: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.sign(name, .message([1]), by: subject, $1) }, { try test.suspend("door") })
    try refused(signed, .keyUnusable)
    try test.resume("door")
    let late: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.sign(name, .message([1]), by: subject, $1) },
      {
        try test.suspend("door")
        try test.resume("door")
      })
    try refused(late, .conflict)
    let opened: Answer<CommitTestVault.Numbered<OpenedPresentation>> = try held.holding(
      test, { $0.openPresentation(name, .door, connection: 1, by: subject, $1) },
      { try test.suspend("door") })
    try refused(opened, .keyUnusable)
    #expect(test.vault.presentations.count == 0)
    try test.resume("door")
    let session = try test.open("door", connection: 5).value.id
    let step: Answer<CommitTestVault.Numbered<PresentationStep>> = try held.holding(
      test, { $0.exchange(session, TestPass.auth0, connection: 5, by: subject, $1) },
      { try test.suspend("door") })
    try refused(step, .keyUnusable)
  }

  @Test func `an advertisement does not find it`() throws {
    let test = try CommitTestVault()
    for name in ["front", "back"] { try OperationsMatchTests.door(test, name) }
    try test.suspend("front")
    func found(in name: String?) throws -> [String] {
      try OperationsMatchTests.match(test, in: name).matches.map(\.namespace.rawValue)
    }
    #expect(try found(in: nil) == ["back"])
    #expect(try found(in: "front") == [])
    try test.resume("front")
    #expect(try found(in: nil).sorted() == ["back", "front"])
  }

  @Test func `only the suspension is marked as taking away, and it is each time`() throws {
    let test = try CommitTestVault()
    try test.publicKey("door")
    try test.suspend("door")
    let generation = try test.describe("door").entry.generation
    let again = try test.suspend("door")
    #expect(!again.value.isNew && again.value.entry.generation == generation)
    try test.resume("door")
    #expect(try !test.resume("door").value.isNew)
    let lines = try AuditLog(test).lines.filter { $0.method.hasPrefix("namespace.") }
      .filter { $0.method != "namespace.get" }
    #expect(
      lines.map(\.method) == [
        "namespace.suspend", "namespace.suspend", "namespace.resume", "namespace.resume",
      ])
    #expect(lines.map(\.isRestrictive) == [true, true, false, false])
    #expect(lines[1].sequence == again.sequence)
  }
}
