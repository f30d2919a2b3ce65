import AccessPolicy
import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// Accounts whose directory does not answer for one name until it is told to.
private final class StuckAccounts: AccountSource {
  static let name = "stuck"
  private let inner = TestAccounts()
  private let asked = DispatchSemaphore(value: 0)
  private let go = DispatchSemaphore(value: 0)

  func user(named name: String) -> UInt32? {
    guard name == Self.name else { return inner.user(named: name) }
    asked.signal()
    go.wait()
    return 7
  }

  func group(named name: String) -> UInt32? { inner.group(named: name) }
  func groups(ofUser number: UInt32) -> [UInt32] { inner.groups(ofUser: number) }
  func canConnect(user number: UInt32) -> Bool { inner.canConnect(user: number) }
  func hasMember(group number: UInt32) -> Bool { inner.hasMember(group: number) }

  /// Waits until the name was asked for.
  func waitUntilAsked() {
    if asked.wait(timeout: .now() + 60) != .success { Issue.record("Nobody asked.") }
  }

  func release() { go.signal() }
}

/// What takes long, and what must not wait for it.
@Suite struct SlowWorkTests {
  private let accounts = StuckAccounts()
  private let test: CommitTestVault

  init() throws {
    test = try CommitTestVault(accounts: accounts)
  }

  /// Calls of a user that read for as long as the directory does not answer; this many of them.
  private func read(_ count: Int, by subject: AuditEntry.Subject = CommitTestVault.subject)
    -> [Answer<AuditPage>]
  {
    (0..<count).map { _ in
      let answer = Answer<AuditPage>()
      test.worker.tailLog(AuditQuery(limit: 1), by: subject, answer.reply)
      return answer
    }
  }

  /// Holds up what reads.
  private func hold() -> Answer<PolicyAnswer> {
    let answer = Answer<PolicyAnswer>()
    test.worker.explainPolicy(
      PolicyQuestion(
        method: "key.sign", target: .vault, by: .client, user: StuckAccounts.name, groups: nil,
        unit: nil),
      about: nil, by: CommitTestVault.subject, answer.reply)
    accounts.waitUntilAsked()
    return answer
  }

  @Test func `nothing that takes a right away waits for reads, however many there are`() throws {
    for name in ["home/a", "home/b"] { try test.publicKey(name) }
    let held = hold()
    let reads = read(40)
    #expect(try test.revoke(within: "home").value == 2)
    try test.govern([("status", "**")])
    #expect(code { try test.sign("home/a") } == .revoked)
    #expect(held.count == 0 && reads.allSatisfy { $0.count == 0 })
    accounts.release()
    #expect(try held.get().caller.uid == 7)
    for read in reads { #expect(try read.get().lines.count == 1) }
  }

  @Test func `who asks for more than can be done is told to try again, and others are served`()
    throws
  {
    let held = hold()
    let share = SlowWorker.userBound
    let reads = read(share + 3)
    for answer in reads.dropFirst(share) {
      guard case .failure(let error) = try answer.result() else {
        Issue.record("More is waiting than there is room for.")
        continue
      }
      #expect(error.code == .busy && error.retry)
    }
    let other = read(1, by: test.gate)
    accounts.release()
    for answer in reads.prefix(share) + other { _ = try answer.result() }
    _ = try held.get()
    // Such a refusal costs its caller nothing, and so not a line each either.
    test.clock.advance(boot: 2)
    test.vault.recordOwedLines()
    let lines = try AuditLog(test).lines
    #expect(lines.count { $0.code == "busy" } == 1)
    #expect(
      lines.contains {
        $0.method == "calls.refused" && $0.text.contains(#""count":2,"rate_limited":2,"#)
      })
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
