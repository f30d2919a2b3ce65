import AliroEngine
import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// What presentations compute with a namespace's keys and records is withheld, and what they would
/// change is not changed, when that namespace was changed before the answer got its number.
@Suite struct OperationsRevocationLineTests {
  /// What comes between computing and numbering, and what the caller is told.
  enum Change: String, CaseIterable, Sendable {
    case revoke, delete, store

    var code: VaultError.Code { self == .store ? .conflict : .revoked }

    func carryOut(_ test: CommitTestVault, _ key: P256PublicKey) throws {
      switch self {
      case .revoke: try test.revoke("door")
      case .delete: try test.deletePass("door")
      case .store: try test.storePass(TestPass.pass(for: key, mailbox: 8), "door")
      }
    }
  }

  private let held: HeldCall
  private let test: CommitTestVault
  private let key: P256PublicKey

  init() throws {
    held = HeldCall(["presentation.exchange", "presentation.sign"])
    test = try CommitTestVault(hooks: held.hooks)
    key = try test.door("door", mailbox: 8)
  }

  /// Sends a message whose answer is overtaken by a change; the session is then over.
  private func expectWithheld(
    _ session: [UInt8], _ message: [UInt8], by change: Change
  ) throws {
    let running = try #require(test.vault.presentations.find(session, connection: 1, user: 1000))
    let answer: Answer<CommitTestVault.Numbered<PresentationStep>> = try held.holding(
      test, { $0.exchange(session, message, connection: 1, by: CommitTestVault.subject, $1) },
      { try change.carryOut(test, key) })
    try refused(answer, change.code)
    #expect(running.isWiped)
    #expect(code { try test.exchange(session, message) } == .notFound)
    let lines = try AuditLog(test).lines
    let line = try #require(lines.last { $0.method == "presentation.exchange" })
    #expect(line.code == change.code.rawValue || line.code == "not_found")
    #expect(lines.contains { $0.code == change.code.rawValue })
  }

  @Test(arguments: Change.allCases)
  func `the answer to AUTH1 is withheld, and no persistent key is kept`(_ change: Change) throws {
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door")
    try expectWithheld(session, reader.auth1(), by: change)
    #expect(try !test.records(of: "door").contains("readerContext/persistent-keys"))
    _ = try test.restarted()
  }

  @Test(arguments: Change.allCases)
  func `a fast cryptogram is withheld`(_ change: Change) throws {
    let reader = try TestReader(key)
    try test.present("door", to: reader)
    let again = try TestReader(key, after: reader)
    let session = try test.open("door").value.id
    try expectWithheld(session, again.auth0(fast: true), by: change)
  }

  @Test(arguments: Change.allCases)
  func `the answer to EXCHANGE is withheld, and nothing is written`(_ change: Change) throws {
    let reader = try TestReader(key)
    let session = try test.present("door", to: reader)
    let write = try reader.exchange([0x8C, 1, 0, 0x8A, 3, 0, 0, 9])
    try expectWithheld(session, write, by: change)
    // A pass with a mailbox of the same size keeps it as it was.
    if change == .store {
      #expect(try test.mailbox(of: "door") == [UInt8](repeating: 0, count: 8))
    } else {
      #expect(try test.records(of: "door") == [])
    }
  }

  @Test(arguments: Change.allCases)
  func `what a reader would read of the mailbox is withheld`(_ change: Change) throws {
    let reader = try TestReader(key)
    let session = try test.present("door", to: reader)
    let read = try reader.exchange([0x8C, 1, 0, 0x87, 4, 0, 0, 0, 8])
    try expectWithheld(session, read, by: change)
  }

  @Test(arguments: Change.allCases)
  func `documents asked for in step-up are withheld`(_ change: Change) throws {
    let reader = try TestReader(key)
    let early = try TestReader(key)
    let answered = try test.exchange(
      test.present("door", to: early), early.envelope()
    ).value
    #expect(answered.refusal == nil && answered.statusWord.map { $0 >> 8 } == 0x61)
    let session = try test.present("door", to: reader)
    try expectWithheld(session, reader.envelope(), by: change)
  }

  @Test(arguments: Change.allCases)
  func `a transcript's signature is withheld, and counts as never made`(_ change: Change) throws {
    let name = try NamespaceName("door")
    let device = try P256PrivateKey.generate().publicKey
    let transcript = try OperationsTranscriptTests.transcript(TestReader(key), device)
    let answer: Answer<CommitTestVault.Numbered<SignatureAnswer>> = try held.holding(
      test, { $0.signTranscript(transcript, name, by: CommitTestVault.subject, $1) },
      { try change.carryOut(test, key) })
    try refused(answer, change.code)
    guard change == .store else { return }
    _ = try test.ask {
      test.worker.signTranscript(transcript, name, by: CommitTestVault.subject, $0)
    }
  }

  @Test func `sealing withholds all of it`() throws {
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door")
    let auth1 = try reader.auth1()
    let answer: Answer<CommitTestVault.Numbered<PresentationStep>> = try held.holding(
      test, { $0.exchange(session, auth1, connection: 1, by: CommitTestVault.subject, $1) },
      { try test.seal() })
    try refused(answer, .sealed)
    try test.unseal()
    #expect(try !test.records(of: "door").contains("readerContext/persistent-keys"))
  }

  @Test func `within one batch a revocation comes before what is queued after it`() throws {
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door")
    let auth1 = try reader.auth1()
    let name = try NamespaceName("door")
    let step = Answer<CommitTestVault.Numbered<PresentationStep>>()
    let revocation = Answer<CommitTestVault.Numbered<NamespaceID>>()
    held.holdCommitter(test.vault) {
      test.worker.revokeNamespace(name, by: CommitTestVault.subject, revocation.reply)
      test.worker.exchange(session, auth1, connection: 1, by: CommitTestVault.subject, step.reply)
    }
    _ = try revocation.get()
    try refused(step, .revoked)
  }
}
