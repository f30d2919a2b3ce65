import AliroEngine
import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// Whether a caller's word that its user has confirmed counts (AUTH0 policy 03).
@Suite struct OperationsSettingsTests {
  private func auth0(
    _ test: CommitTestVault, isUserConfirmed: Bool
  ) throws -> PresentationStep {
    var request = PresentationRequest.door
    request.isUserConfirmed = isUserConfirmed
    let session = try test.open("door", request).value.id
    let key = try test.publicKey("door", .presentation).value.key
    return try test.exchange(session, TestReader(key).auth0(policy: 3)).value
  }

  @Test func `counts only where an admin allows it, and only when it is given`() throws {
    var test = try CommitTestVault()
    try test.door("door")
    #expect(try !test.describe("door").allowsUserConfirmation)
    for isUserConfirmed in [false, true] {
      let step = try auth0(test, isUserConfirmed: isUserConfirmed)
      #expect(step.statusWord == 0x6985 && step.refusal?.code == .forbidden)
    }
    try test.configure("door", userConfirmation: true)
    for _ in 0..<2 {
      #expect(try test.describe("door").allowsUserConfirmation)
      #expect(try auth0(test, isUserConfirmed: false).refusal?.code == .forbidden)
      #expect(try auth0(test, isUserConfirmed: true).statusWord == 0x9000)
      // What an admin has decided is the namespace's, not the pass's.
      try test.door("door")
      test = try test.restarted()
    }
    let opened = try AuditLog(test).lines.filter { $0.method == "presentation.open" }
    let marked = opened.map { String(decoding: $0.text, as: UTF8.self) }
      .map { $0.contains(#","user_confirmed":true,"prev""#) }
    #expect(marked == [false, true, false, true, false, true])
  }

  @Test func `taking it away ends what rests on it, and says so`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    let first = try test.configure("door", userConfirmation: true)
    var request = PresentationRequest.door
    request.isUserConfirmed = true
    let session = try test.open("door", request).value.id
    #expect(try test.configure("door", userConfirmation: true) > first)
    let key = try test.publicKey("door", .presentation).value.key
    let last = try test.configure("door", userConfirmation: false)
    #expect(code { try test.exchange(session, TestReader(key).auth0(policy: 3)) } == .notFound)
    #expect(try auth0(test, isUserConfirmed: true).refusal?.code == .forbidden)
    let log = try AuditLog(test)
    #expect(log.line(first)?.isRestrictive == false && log.line(last)?.isRestrictive == true)
    #expect(code { try test.configure("none", userConfirmation: true) } == .notFound)
    try test.revoke("door")
    #expect(code { try test.configure("door", userConfirmation: true) } == .revoked)
  }

  @Test func `damaged settings are named, and allow nothing`() throws {
    let test = try CommitTestVault()
    try test.door("door")
    try test.configure("door", userConfirmation: true)
    test.vault.close()
    try test.directory.tamper("UPDATE record SET box = zeroblob(length(box)) WHERE kind = 8")
    let hurt = try CommitTestVault(test.directory)
    #expect(code { _ = try hurt.describe("door") } == .damaged)
    #expect(try auth0(hurt, isUserConfirmed: true).refusal?.code == .forbidden)
  }
}
