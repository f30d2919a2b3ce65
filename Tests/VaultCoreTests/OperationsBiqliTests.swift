import BiqliEngine
import Foundation
import Testing
import WireCoding

@testable import VaultCore

/// The promises about the state of an installation, kept across restarts and between callers.
///
/// `BiqliRecordTests` has what is decided within the state.
@Suite struct OperationsBiqliTests {
  @Test func `everybody gets the same event until it is settled, across restarts`() throws {
    var test = try CommitTestVault()
    try test.installation("app")
    try test.capture(token: TestBiqli.token("a"), "app")
    let first = try test.begin("app")
    #expect(first.beginning == .new && first.request.attempts == 1)
    #expect(try TestBiqli.body(first.request)["handoffToken"] as? String == TestBiqli.token("a"))
    for attempt in UInt32(2)...4 {
      test = try test.restarted()
      let again = try test.begin("app")
      #expect(again.beginning == .resumed && again.request.attempts == attempt)
      #expect(again.request.eventID == first.request.eventID)
      #expect(again.request.requestID == first.request.requestID)
      #expect(again.request.body == first.request.body)
    }
    #expect(try test.complete(first.request.eventID, "app").report == .unmatched)
    let next = try test.begin("app")
    #expect(next.beginning == .new && next.request.eventID != first.request.eventID)
  }

  @Test func `callers at the same moment get the same event`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let name = try NamespaceName("app")
    let answers = (0..<8).map { _ in Answer<CommitTestVault.Numbered<BiqliBegun>>() }
    let fields = try TestBiqli.fields()
    HeldCall([]).holdCommitter(test.vault) {
      for answer in answers {
        test.worker.beginBiqli(fields, name, by: CommitTestVault.subject, answer.reply)
      }
    }
    let begun = try answers.map { try $0.get().value }
    #expect(begun.map(\.beginning) == [.new] + [BiqliBeginning](repeating: .resumed, count: 7))
    #expect(Set(begun.map(\.request.eventID)).count == 1)
    #expect(Set(begun.map { TestBiqli.text($0.request.body) }).count == 1)
    #expect(begun.map(\.request.attempts) == (1...8).map { $0 })
    #expect(try test.storedBiqli("app")?.pending == begun.last?.request)
  }

  @Test func `an event is settled once, and its receipt given once`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let event = try test.begin("app").request.eventID
    let settled = try test.complete(event, "app", "exact_handoff", receipt: "receipt")
    #expect(settled.report == .matched && settled.receipt == "receipt")
    let state = try test.storedBiqli("app")
    let late = try test.complete(event, "app", "none", receipt: "receipt")
    #expect(late.report == .stale && late.receipt == nil)
    #expect(try test.fail(event, "app", status: 404, code: "resource_not_found") == .stale)
    #expect(try !test.dropBiqli(event, "app").value)
    #expect(try test.storedBiqli("app") == state)
    #expect(try test.cachedBiqli("app")?.contains("receipt") == false)
    // A match is the end of first open.
    #expect(try test.biqliWindow("app") == .closed)
    try test.capture(link: TestBiqli.link("1"), "app")
    #expect(try TestBiqli.body(test.begin("app").request)["firstOpen"] as? Bool == false)
  }

  @Test func `an older event that is reported late changes nothing`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let old = try test.begin("app").request
    try test.capture(link: TestBiqli.link("1"), "app")
    let new = try test.begin("app")
    #expect(new.beginning == .replaced)
    let state = try test.storedBiqli("app")
    let late = try test.complete(old.eventID, "app", "exact_app_link", receipt: "r")
    #expect(late.report == .stale && late.receipt == nil)
    #expect(try test.fail(old.eventID, "app", status: 400) == .stale)
    #expect(try test.storedBiqli("app") == state)
  }

  @Test func `only the link that was sent is erased`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let first = try test.begin("app").request
    try test.capture(link: TestBiqli.link("later"), "app")
    try test.complete(first.eventID, "app", "exact_app_link")
    #expect(
      try test.storedBiqli("app")?.link.map { TestBiqli.text($0.secret) } == TestBiqli.link("later")
    )
    let second = try test.begin("app").request
    #expect(try TestBiqli.body(second)["deepLink"] as? String == TestBiqli.link("later"))
    #expect(try test.capture(link: TestBiqli.link("last"), "app"))
    try test.complete(second.eventID, "app")
    #expect(
      try test.storedBiqli("app")?.link.map { TestBiqli.text($0.secret) } == TestBiqli.link("last"))
    let third = try test.begin("app").request
    try test.complete(third.eventID, "app")
    #expect(try test.storedBiqli("app")?.link == nil)
  }

  @Test func `another marker makes all of it anew, and the same one nothing`() throws {
    let test = try CommitTestVault()
    #expect(try test.installation("app") == .created)
    #expect(try test.openBiqli("app", key: TestBiqli.key).value.opening == .keyReplaced)
    let instance = try test.biqliInstance("app")
    let event = try test.begin("app").request.eventID
    let same = try test.openBiqli("app").value
    #expect(same.opening == .unchanged && same.publishableKey?.description == TestBiqli.key)
    #expect(try test.biqliInstance("app") == instance)
    #expect(try test.begin("app").publishableKey?.description == TestBiqli.key)
    #expect(
      code { try test.openBiqli("app", app: "biq_mapp_Z" + TestBiqli.app.dropFirst(10)) }
        == .conflict)
    let renewed = try test.openBiqli("app", marker: 2)
    #expect(renewed.value.opening == .reset)
    #expect(try test.biqliInstance("app") != instance)
    #expect(try test.complete(event, "app", "exact_handoff").report == .stale)
    #expect(try test.begin("app").beginning == .new)
    #expect(try AuditLog(test).line(renewed.sequence)?.isRestrictive == true)
  }

  @Test func `the window is a day by the vault's clock, which is not turned back`() throws {
    var test = try CommitTestVault()
    try test.installation("app")
    let end = Timestamp(clamping: test.clock.wallSeconds() + 86_400)
    #expect(try test.biqliWindow("app") == .open(until: end))
    test.clock.advance(wall: 86_399, boot: 86_399)
    #expect(try test.biqliWindow("app") == .open(until: end))
    test.clock.advance(wall: 1, boot: 1)
    // Recorded, so that it is the floor from now on.
    try test.publicKey("other")
    test.clock.advance(wall: -7_200)
    test = try test.restarted()
    #expect(try test.biqliWindow("app") == .closed)
    #expect(try test.cachedBiqli("app") == nil)
    #expect(try TestBiqli.body(test.begin("app").request)["firstOpen"] as? Bool == false)
  }

  @Test func `an operator sees what is stuck and drops it`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    #expect(try test.pendingBiqli("app") == nil)
    let event = try test.begin("app").request.eventID
    test.clock.advance(wall: 100, boot: 100)
    try test.begin("app")
    #expect(try test.fail(event, "app", status: 503) == .kept)
    try test.suspend("app")
    let waiting = try #require(try test.pendingBiqli("app"))
    #expect(waiting.age == 100 && waiting.request.attempts == 2)
    #expect(waiting.request.eventID == event)
    let other = BiqliEventID(random: .init(repeating: 0))
    let missed = try test.dropBiqli(other, "app")
    let dropped = try test.dropBiqli(event, "app")
    #expect(!missed.value && dropped.value)
    #expect(try test.pendingBiqli("app") == nil)
    let log = try AuditLog(test)
    #expect(log.line(missed.sequence)?.isRestrictive == false)
    #expect(log.line(dropped.sequence)?.isRestrictive == true)
    try test.resume("app")
    #expect(try test.begin("app").beginning == .new)
  }

  @Test func `nothing is kept before it was opened, nor after a reset`() throws {
    let test = try CommitTestVault()
    #expect(code { try test.openBiqli("app") } == .notFound)
    try test.installation("app")
    try test.begin("app")
    #expect(try test.resetBiqli("app").value)
    let again = try test.resetBiqli("app")
    #expect(!again.value)
    #expect(try AuditLog(test).line(again.sequence)?.isRestrictive == false)
    #expect(try test.records(of: "app") == [])
    for call in calls(test) { #expect(code { try call() } == .notFound) }
    #expect(try test.openBiqli("app").value.opening == .created)
  }

  @Test func `a suspended namespace gives nothing to send, a revoked one nothing at all`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    try test.begin("app")
    try test.suspend("app")
    let state = try test.storedBiqli("app")
    for call in calls(test).dropLast(2) { #expect(code { try call() } == .keyUnusable) }
    #expect(code { try test.openBiqli("app") } == .keyUnusable)
    #expect(try test.storedBiqli("app") == state)
    try test.revoke("app")
    for call in calls(test) { #expect(code { try call() } == .revoked) }
    #expect(code { try test.openBiqli("app") } == .revoked)
    #expect(code { try test.resetBiqli("app") } == .revoked)
    #expect(try test.records(of: "app") == [])
  }

  @Test func `a revocation in front of a call in one batch decides it`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let name = try NamespaceName("app")
    let subject = CommitTestVault.subject
    let revoked = Answer<CommitTestVault.Numbered<NamespaceID>>()
    let begun = Answer<CommitTestVault.Numbered<BiqliBegun>>()
    let fields = try TestBiqli.fields()
    HeldCall([]).holdCommitter(test.vault) {
      test.worker.revokeNamespace(name, by: subject, revoked.reply)
      test.worker.beginBiqli(fields, name, by: subject, begun.reply)
    }
    _ = try revoked.get()
    try refused(begun, .revoked)
  }

  @Test func `a damaged state is named, not made anew, and can be reset`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    try test.begin("app")
    test.vault.close()
    try test.directory.tamper("UPDATE record SET box = zeroblob(length(box)) WHERE kind = 6")
    let hurt = try CommitTestVault(test.directory)
    for call in calls(hurt) { #expect(code { try call() } == .damaged) }
    #expect(code { try hurt.openBiqli("app") } == .damaged)
    #expect(code { try hurt.openBiqli("app", marker: 2) } == .damaged)
    #expect(try hurt.resetBiqli("app").value)
    #expect(try hurt.openBiqli("app", marker: 2).value.opening == .created)
  }

  @Test func `lines of one event have the digest of its name and nothing of its content`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    try test.capture(link: TestBiqli.link("canary"), "app")
    try test.capture(token: TestBiqli.token("c"), "app")
    let event = try test.begin("app").request.eventID
    try test.complete(event, "app", "exact_handoff", receipt: "canary")
    try test.cachedBiqli("app")
    let lines = try AuditLog(test).lines
    let told = lines.map { String(decoding: $0.text, as: UTF8.self) }
    for word in ["canary", TestBiqli.token("c"), event.description, TestBiqli.app] {
      #expect(told.allSatisfy { !$0.contains(word) }, "\(word)")
    }
    let digest = Hex.encode(event.digest.span)
    #expect(
      lines.filter { String(decoding: $0.text, as: UTF8.self).contains(digest) }.map(\.method)
        == ["biqli.begin", "biqli.complete"])
  }

  /// Every call that needs a state; the last two are for operators.
  private func calls(_ test: CommitTestVault) -> [() throws -> Void] {
    let event = BiqliEventID(random: .init(repeating: 0))
    return [
      { _ = try test.biqliInstance("app") }, { try test.capture(link: TestBiqli.link("x"), "app") },
      { try test.capture(token: TestBiqli.token("x"), "app") }, { try test.begin("app") },
      { try test.complete(event, "app") }, { try test.fail(event, "app") },
      { try test.cachedBiqli("app") }, { try test.biqliWindow("app") },
      { try test.pendingBiqli("app") }, { try test.dropBiqli(event, "app") },
    ]
  }
}
