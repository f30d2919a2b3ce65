import AliroEngine
import Foundation
import Testing
import WireCoding

@testable import VaultCore

@Suite struct OperationsPresentationTests {
  @Test func `a session belongs to the connection that opened it`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    let opened = try test.open("door", connection: 1).value
    #expect(opened.id.count == 16 && opened.refusal == nil)
    #expect(opened.step.state == .awaitingAuth0 && opened.step.messages.count == 1)
    #expect(opened.expires == 1_700_000_530)
    #expect(code { try test.exchange(opened.id, TestPass.auth0, connection: 2) } == .notFound)
    #expect(
      code {
        _ = try test.ask {
          test.worker.closePresentation(
            opened.id, connection: 2, by: CommitTestVault.subject, $0)
        }
      } == .notFound)
    #expect(try test.exchange(opened.id, TestPass.auth0).value.state == .awaitingAuth1)
    let line = try test.ask {
      test.worker.closePresentation(opened.id, connection: 1, by: CommitTestVault.subject, $0)
    }
    #expect(line > 0 && test.vault.presentations.count == 0)
    #expect(code { try test.exchange(opened.id, TestPass.auth0) } == .notFound)
  }

  @Test func `what ends a session wipes its engine`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    func session(_ connection: UInt64 = 1) throws -> PresentationSession {
      let id = try test.open("door", connection: connection).value.id
      try test.exchange(id, TestPass.auth0, connection: connection)
      return try #require(test.vault.presentations.find(id, connection: connection, user: 1000))
    }
    let disconnected = try session(3)
    let kept = try session(4)
    test.vault.connectionClosed(3)
    #expect(disconnected.isWiped && !kept.isWiped)

    let timedOut = try session()
    test.clock.advance(boot: 30)
    #expect(!timedOut.isWiped)
    test.vault.expirePresentations()
    #expect(timedOut.isWiped && kept.isWiped)

    let late = try session()
    test.clock.advance(boot: 30)
    // Also without anybody looking for it.
    #expect(code { try test.exchange(late.id, TestPass.auth0) } == .notFound)
    #expect(late.isWiped)

    let replaced = try session()
    try test.door("door")
    #expect(replaced.isWiped)

    let sealed = try session()
    try test.seal()
    #expect(sealed.isWiped)
    try test.unseal()

    let revoked = try session()
    try test.revoke("door")
    #expect(revoked.isWiped)
    #expect(test.vault.presentations.count == 0)
  }

  @Test func `a failed session has no keys left, and says that it is over`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    let id = try test.open("door").value.id
    let session = try #require(test.vault.presentations.find(id, connection: 1, user: 1000))
    let failed = try test.exchange(id, [9, 9, 9]).value
    #expect(failed.state == .failed && failed.refusal?.code == .protocolError)
    #expect(session.isWiped)
    for _ in 0..<2 {
      #expect(code { try test.exchange(id, TestPass.auth0) } == .protocolError)
    }
    let line = try AuditLog(test).lines.last { $0.method == "presentation.exchange" }
    #expect(line?.code == "protocol_error" && line?.namespace == "door")
  }

  @Test func `without a usable pass a session runs and the answer says why`() throws {
    let test = try CommitTestVault()
    let bare = try NamespaceName("bare")
    _ = try test.ask { test.worker.createNamespace(bare, by: CommitTestVault.subject, $0) }
    try test.publicKey("signer", .signing)
    try test.publicKey("keyed", .presentation)
    for (name, refusal) in [
      ("bare", Refusal.Code.keyUnusable), ("signer", .keyUnusable), ("keyed", .passMissing),
    ] {
      let opened = try test.open(name).value
      #expect(opened.refusal?.code == refusal, "\(name)")
      #expect(try test.exchange(opened.id, TestPass.auth0).value.statusWord == 0x9000)
    }
    #expect(code { try test.open("none") } == .notFound)
  }

  @Test func `limits count open sessions, and finished ones make room`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    var open: [[UInt8]] = []
    for _ in 0..<PresentationTable.boundPerConnection {
      open.append(try test.open("door").value.id)
    }
    #expect(code { try test.open("door") } == .busy)
    try test.open("door", connection: 2)
    #expect(try test.exchange(open[3], [0]).value.state == .failed)
    #expect(code { try test.exchange(open[3], [0]) } == .protocolError)
    try test.open("door")
    #expect(code { try test.exchange(open[3], [0]) } == .notFound)
    try test.exchange(open[4], TestPass.auth0)
    #expect(code { try test.open("door") } == .busy)
    // Those of other connections that are over count for nobody either.
    test.clock.advance(boot: 30)
    try test.open("door")
    #expect(test.vault.presentations.count == 1)
  }

  /// Why no further presentation can be opened.
  private func refusal(_ test: CommitTestVault, connection: UInt64, user: UInt32) -> VaultError? {
    do {
      try test.open("door", connection: connection, user: user)
      return nil
    } catch { return error as? VaultError }
  }

  @Test func `1024 sessions are the most, 256 of one user, until some are over`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    for user in 0..<4 as Range<UInt32> {
      for connection in 0..<16 {
        for _ in 0..<16 {
          try test.open("door", connection: UInt64(user) * 16 + UInt64(connection), user: user)
        }
      }
      let refusal = refusal(test, connection: 100, user: user)
      #expect(refusal?.code == .busy && refusal?.message.hasPrefix("this user") == true)
    }
    let own = refusal(test, connection: 7, user: 0)
    #expect(own?.code == .busy && own?.message.hasPrefix("this connection") == true)
    let all = refusal(test, connection: 100, user: 9)
    #expect(all?.code == .busy && all?.message.hasPrefix("the vault") == true)
    let other = try #require(test.vault.presentations.first(of: 7))
    try test.exchange(other.id, [0], connection: 7, user: 0)
    try test.open("door", connection: 100, user: 9)
    #expect(refusal(test, connection: 100, user: 9)?.code == .busy)
  }
}

extension PresentationTable {
  var count: Int { all.count }
  func first(of connection: UInt64) -> PresentationSession? {
    all.first { $0.connection == connection }
  }
}
