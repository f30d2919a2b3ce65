import Foundation
import NokeEngine
import SecureMemory
import Testing
import WireCoding

@testable import VaultCore

/// How one pair of a lock takes the place of another.
@Suite struct OperationsNokeRotationTests {
  private static let month = NokeRecord.retention

  private func isMade(_ unlocking: NokeUnlocking, by pair: UInt8, _ session: Int) throws -> Bool {
    let expected = try TestPair(pair).packet(.number(session))
    return unlocking.packet == expected
  }

  @Test func `a second pair waits until the lock has answered success to it`() throws {
    var test = try CommitTestVault()
    #expect(try test.lock("door").value.role == .active)
    let stored = try test.storeNoke(TestPair(2)).value
    #expect(stored.role == .pending && stored.generation == 2 && !stored.isKnown)
    // The answer may have been lost.
    let again = try test.storeNoke(TestPair(2)).value
    #expect(again.isKnown && again.generation == 2 && again.role == .pending)
    #expect(code { try test.storeNoke(TestPair(3), environment: .sandbox) } == .conflict)
    #expect(try isMade(test.unlock(1).value, by: 1, 1))
    #expect(try !test.report(.success, of: 1).value.isPromoted)
    let pending = try test.unlock(2, role: .pending, request: "p").value
    #expect(try isMade(pending, by: 2, 2) && pending.role == .pending)
    #expect(try test.pairs() == ["active 1", "pending 2"])
    let promoted = try test.report(.success, of: 2)
    #expect(promoted.value.isPromoted && promoted.value.generation == 2)
    #expect(try test.pairs() == ["active 2", "former 1"])
    #expect(try !test.report(.success, of: 2).value.isPromoted)
    // Either can be asked for; what was made stays what it was.
    test = try test.restarted()
    #expect(try isMade(test.unlock(3).value, by: 2, 3))
    #expect(try isMade(test.unlock(4, role: .former).value, by: 1, 4))
    #expect(try isMade(test.unlock(2, role: .pending, request: "p").value, by: 2, 2))
    #expect(code { try test.unlock(5, role: .pending) } == .notFound)
    let log = try AuditLog(test)
    #expect(log.line(promoted.sequence)?.isRestrictive == true)
    let reports = log.lines.filter { $0.method == "noke.report" }
    #expect(reports.map(\.isRestrictive) == [false, true, false])
    #expect(
      reports.allSatisfy {
        String(decoding: $0.text, as: UTF8.self).contains(#""reported":"success""#)
      })
  }

  @Test func `a former pair goes after a month and a second session, not before`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.storeNoke(TestPair(2))
    try test.unlock(1, role: .pending)
    try test.report(.success, of: 1)
    // A month without a second session.
    test.clock.advance(wall: Self.month + 1, boot: Self.month + 1)
    try test.unlock(2)
    try test.report(.success, of: 1)
    #expect(try test.pairs() == ["active 2", "former 1"])
    #expect(try isMade(test.unlock(3, role: .former).value, by: 1, 3))
    // The second session, and the floor knows that the month is over.
    try test.report(.success, of: 2)
    #expect(try test.pairs() == ["active 2"])
    #expect(code { try test.unlock(4, role: .former) } == .notFound)
    #expect(try isMade(test.unlock(5).value, by: 2, 5))
  }

  @Test func `a month that a clock has jumped over is none`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.storeNoke(TestPair(2))
    for session in 1...2 {
      try test.unlock(session, role: session == 1 ? .pending : .active)
      try test.report(.success, of: session)
    }
    test.clock.advance(wall: 10 * Self.month)
    for session in 3...5 { try test.unlock(session) }
    #expect(try test.pairs() == ["active 2", "former 1"])
    test.clock.advance(boot: Self.month)
    for session in 6...7 { try test.unlock(session) }
    #expect(try test.pairs() == ["active 2"])
    // Erased for good, and that line takes nothing away that a restore must take away once more.
    let lines = try AuditLog(test).lines
    #expect(lines.contains { $0.method == "erasure.complete" })
    #expect(lines.filter { $0.method == "noke.unlock" }.allSatisfy { !$0.isRestrictive })
  }

  @Test func `a wrong key makes a pair stale, and the other one opens`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.unlock(1)
    try test.report(.result([0x62]), of: 1)
    try test.report(NokeResponse("50" + String(repeating: "61", count: 19)), of: 1)
    #expect(try test.pairs() == ["active 1"])
    let reported = try test.report(.wrongKey, of: 1).value
    #expect(reported.isStale && reported.generation == 1)
    #expect(try test.pairs() == ["active 1 stale"])
    // A fresh pair is taken without being asked for.
    try test.storeNoke(TestPair(2))
    let fresh = try test.unlock(2).value
    #expect(try isMade(fresh, by: 2, 2) && fresh.role == .pending)
    try test.report(.success, of: 2)
    #expect(try test.pairs() == ["active 2", "former 1 stale"])
    // A wrong key after the success of a session is of a packet that was sent twice.
    #expect(try !test.report(.wrongKey, of: 2).value.isStale)
    #expect(try test.pairs() == ["active 2", "former 1 stale"])
  }

  @Test func `no false report makes a pair unusable, and a true one mends what it said`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.storeNoke(TestPair(2))
    try test.unlock(1, role: .pending)
    try test.report(.success, of: 1)
    for (session, role) in [(2, NokeRole.active), (3, .former)] {
      try test.unlock(session, role: role)
      #expect(try test.report(.wrongKey, of: session).value.isStale)
      // The other one is taken, as long as it was not refused.
      if role == .active { #expect(try test.unlock(10).value.role == .former) }
    }
    #expect(try test.pairs() == ["active 2 stale", "former 1 stale"])
    #expect(try test.describeNoke().pairs.allSatisfy { $0.refusal == nil })
    #expect(try isMade(test.unlock(4).value, by: 2, 4))
    #expect(try isMade(test.unlock(5, role: .former).value, by: 1, 5))
    #expect(try !test.report(.success, of: 4).value.isStale)
    #expect(try test.pairs() == ["active 2", "former 1 stale"])
    // Who goes back says that the pair is the right one.
    #expect(try test.demote().value.active == 1)
    #expect(try test.pairs() == ["active 1", "pending 2"])
    try test.unlock(6, role: .pending)
    try test.report(.wrongKey, of: 6)
    try test.promote()
    #expect(try test.pairs() == ["active 2", "former 1"])
  }

  @Test func `a false report does not lead to a pair that cannot be used yet`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    let later = Timestamp(clamping: 1_800_000_000)
    try test.storeNoke(TestPair(2), validity: NokeValidity(notBefore: later))
    try test.unlock(1)
    #expect(try test.report(.wrongKey, of: 1).value.isStale)
    #expect(try isMade(test.unlock(2).value, by: 1, 2))
    try test.storeNoke(TestPair(2), validity: .always)
    #expect(try isMade(test.unlock(3).value, by: 2, 3))
  }

  @Test func `the way back leads to a pair that was active`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.storeNoke(TestPair(2))
    try test.promote()
    try test.storeNoke(TestPair(3))
    try test.unlock(1, role: .pending)
    try test.storeNoke(TestPair(4))
    #expect(try test.pairs() == ["active 2", "pending 4", "former 3", "former 1"])
    #expect(try isMade(test.unlock(2, role: .former).value, by: 1, 2))
    #expect(try test.demote().value.active == 1)
  }

  @Test func `limits are those given last, wherever the pair is kept`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    let end = Timestamp(clamping: 1_700_000_600)
    let limited = try NokeValidity(notAfter: end)
    let stored = try test.storeNoke(TestPair(1), validity: limited)
    #expect(stored.value.isKnown && stored.value.generation == 1 && stored.value.role == .active)
    #expect(try AuditLog(test).line(stored.sequence)?.isRestrictive == true)
    #expect(try test.describeNoke().pairs.map(\.validity) == [limited])
    // Also of a former pair, which could be asked for otherwise.
    try test.storeNoke(TestPair(2))
    try test.promote()
    test.clock.advance(wall: 601, boot: 601)
    #expect(code { try test.unlock(1, role: .former) } == .expired)
    #expect(try test.unlock(1).value.generation == 2)
    let again = try test.storeNoke(TestPair(1), validity: .always).value
    #expect(!again.isKnown && again.generation == 3 && again.role == .pending)
    #expect(try test.unlock(2, role: .former).value.generation == 1)
    try test.storeNoke(TestPair(1), validity: limited)
    for role in [NokeRole.pending, .former] {
      #expect(code { try test.unlock(3, role: role) } == .expired)
    }
    let same = try test.storeNoke(TestPair(1), validity: limited)
    #expect(try AuditLog(test).line(same.sequence)?.isRestrictive == false)
  }

  @Test func `a pending pair that was tried is not dropped for another one`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.storeNoke(TestPair(2))
    try test.unlock(1, role: .pending)
    try test.storeNoke(TestPair(3))
    #expect(try test.pairs() == ["active 1", "pending 3", "former 2"])
    // Nobody has tried the third one, so nothing can have it.
    try test.storeNoke(TestPair(4))
    #expect(try test.pairs() == ["active 1", "pending 4", "former 2"])
    // The lock's answer comes late, and tells which pair it has.
    #expect(try test.report(.success, of: 1).value.isPromoted)
    #expect(try test.pairs() == ["active 2", "pending 4", "former 1"])
    #expect(try isMade(test.unlock(2).value, by: 2, 2))
  }

  @Test func `a pair whose grant is over makes room for the pending one`() throws {
    let test = try CommitTestVault()
    try test.create("door")
    let end = Timestamp(clamping: 1_700_000_600)
    try test.storeNoke(TestPair(1), validity: NokeValidity(notAfter: end))
    let start = Timestamp(clamping: 1_700_000_550)
    try test.storeNoke(TestPair(2), validity: NokeValidity(notBefore: start))
    #expect(try test.unlock(1).value.generation == 1)
    #expect(code { try test.promote() } == .notYetValid)
    test.clock.advance(wall: 101, boot: 101)
    #expect(try test.unlock(2).value.generation == 2)
    try test.promote()
    #expect(code { try test.demote() } == .keyUnusable)
    try test.storeNoke(TestPair(3), validity: NokeValidity(notAfter: end))
    #expect(code { try test.promote() } == .expired)
    #expect(try test.pairs() == ["active 2", "pending 3", "former 1"])
  }

  @Test func `an operator can promote, and go back`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    #expect(code { try test.promote() } == .notFound)
    #expect(code { try test.demote() } == .notFound)
    try test.storeNoke(TestPair(2))
    let promoted = try test.promote()
    #expect(promoted.value.active == 2 && promoted.value.former == [1])
    #expect(try AuditLog(test).line(promoted.sequence)?.isRestrictive == true)
    let demoted = try test.demote()
    #expect(demoted.value.active == 1 && demoted.value.pending == 2 && demoted.value.former == [])
    #expect(try AuditLog(test).line(demoted.sequence)?.isRestrictive == false)
    #expect(try isMade(test.unlock(1).value, by: 1, 1))
    // Where one is pending already, the one that goes is kept as a former one.
    try test.promote()
    try test.storeNoke(TestPair(3))
    #expect(try test.demote().value.former == [2])
    #expect(try test.pairs() == ["active 1", "pending 3", "former 2"])
    #expect(try isMade(test.unlock(2, role: .former).value, by: 2, 2))
  }

  @Test func `so many former pairs are kept, and then no further one is taken`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    for number in 2...UInt8(NokeRecord.spareBound + 1) {
      try test.storeNoke(TestPair(number))
      try test.promote()
    }
    #expect(code { try test.storeNoke(TestPair(99)) } == .conflict)
    #expect(try test.pairs().count == NokeRecord.spareBound + 1)
    test.clock.advance(wall: Self.month, boot: Self.month)
    for session in 1...2 {
      try test.unlock(session)
      try test.report(.success, of: session)
    }
    try test.storeNoke(TestPair(99))
    #expect(try test.pairs() == ["active 9", "pending 10"])
  }
}
