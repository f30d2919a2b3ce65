import AliroEngine
import BiqliEngine
import Foundation
import NokeEngine
import Testing
import WireCoding

@testable import VaultCore

/// What a wall clock decides that is far ahead of what the vault knows: nothing.
@Suite struct OperationsClockTests {
  private static let day: Int64 = 86_400
  private static let month: Int64 = 30 * day

  private func time(_ test: CommitTestVault, in seconds: Int64) -> Timestamp {
    Timestamp(clamping: test.clock.wallSeconds() + seconds)
  }

  private func standing(_ test: CommitTestVault) -> ClockReading.Standing {
    test.vault.committer.clockReading.standing
  }

  @Test func `a jump opens no Nokē grant and closes none for good`() throws {
    let test = try CommitTestVault()
    try test.create("door")
    let limits: [NokeValidity] = [
      .always, try NokeValidity(notBefore: time(test, in: 2 * Self.month)),
      try NokeValidity(notAfter: time(test, in: Self.month)),
      try NokeValidity(notAfter: time(test, in: 100)),
    ]
    let macs = try limits.indices.map { try test.mac("00000000000\($0)") }
    for (index, validity) in limits.enumerated() {
      try test.storeNoke(TestPair(UInt8(index)), mac: macs[index], validity: validity)
    }
    func codes(_ session: Int) -> [VaultError.Code?] {
      macs.map { mac in code { try test.unlock(session, mac: mac) } }
    }
    #expect(codes(1) == [nil, .notYetValid, nil, nil])
    test.clock.advance(wall: 3 * Self.month)
    let uncertain = VaultError.Code.clockUncertain
    #expect(codes(2) == [nil, uncertain, uncertain, uncertain])
    let described: CommitTestVault.Numbered<NokeDescription> = try test.ask {
      test.worker.describeNoke(
        macs[1], try NamespaceName("door"), by: CommitTestVault.subject, $0)
    }
    #expect(described.value.pairs.map(\.refusal) == [uncertain])
    // The time that the vault knows goes on, and what is over by it is over.
    test.clock.advance(boot: 200)
    #expect(codes(3) == [nil, uncertain, uncertain, .expired])
    test.clock.advance(wall: 200 - 3 * Self.month)
    #expect(codes(4) == [nil, .notYetValid, nil, .expired])
  }

  @Test func `a jump neither closes the window nor replaces a pending request`() throws {
    let test = try CommitTestVault()
    try test.installation("app")
    let end = time(test, in: Self.day)
    #expect(try test.biqliWindow("app") == .open(until: end))
    let event = try test.begin("app").request.eventID
    test.clock.advance(wall: 2 * Self.month, boot: 60)
    #expect(try test.biqliWindow("app") == .open(until: end))
    let again = try test.begin("app")
    #expect(again.beginning == .resumed && again.request.eventID == event)
    #expect(try test.pendingBiqli("app")?.age == 60)
    test.clock.advance(wall: 60 - 2 * Self.month)
    #expect(try test.begin("app").request.eventID == event)
    #expect(try test.biqliWindow("app") == .open(until: end))
    // A day by the time that the vault knows closes it though the clock is held.
    test.clock.advance(wall: 2 * Self.month, boot: Self.day)
    #expect(try test.biqliWindow("app") == .closed)
  }

  @Test func `passes keep the standing they have by the time the vault knows`() throws {
    let test = try CommitTestVault()
    let keys = try ["early", "ends"].map { try test.publicKey($0, .presentation).value.key }
    try test.storePass(
      TestPass.pass(for: keys[0], from: "2023-12-14T23:00:00Z", until: "2024-11-15T00:00:00Z"),
      "early")
    try test.storePass(
      TestPass.pass(for: keys[1], from: "2023-11-01T00:00:00Z", until: "2023-11-15T00:00:00Z"),
      "ends")
    test.clock.advance(wall: 2 * Self.month)
    #expect(try test.describePass("early").refusal?.code == .notYetValid)
    #expect(try test.describePass("ends").refusal == nil)
    test.clock.advance(boot: Self.day)
    #expect(try test.describePass("ends").refusal?.code == .expired)
    #expect(standing(test) == .held)
  }

  @Test func `a vault that was off for a month waits for an admin's word, which lasts`() throws {
    var test = try CommitTestVault()
    try test.lock("door")
    try test.create("gate")
    try test.storeNoke(
      TestPair(2), "gate", validity: NokeValidity(notAfter: time(test, in: 2 * Self.month)))
    let known = test.clock.wallSeconds()
    test.vault.close()
    let clock = TestClock(wall: known + Self.month, boot: 10)
    test = try CommitTestVault(test.directory, clock: clock)
    #expect(standing(test) == .held && test.vault.committer.now == known)
    #expect(code { try test.unlock(1, "gate") } == .clockUncertain)
    try test.unlock(1)
    // A restart, or sealing in between, is nobody's word.
    test.vault.close()
    test = try CommitTestVault(test.directory, clock: clock)
    try test.seal()
    try test.unseal()
    #expect(standing(test) == .held)
    let accepted = try test.acceptClock()
    #expect(
      accepted.value
        == ClockReading(time: known + Self.month, wall: known + Self.month, standing: .certain))
    try test.unlock(2, "gate")
    test.vault.close()
    test = try CommitTestVault(test.directory, clock: clock)
    #expect(standing(test) == .certain && test.vault.committer.now == known + Self.month)
    try test.unlock(3, "gate")
    let line = try #require(try AuditLog(test).line(accepted.sequence))
    #expect(line.method == "clock.accept" && line.outcome == "ok" && !line.isRestrictive)
    // The week counts from there.
    clock.advance(wall: ClockFloor.allowance + 1)
    #expect(standing(test) == .held)
  }

  @Test func `an unsealing takes nothing away of the time that has passed since the start`() throws
  {
    var test = try CommitTestVault()
    test = try test.restarted(isSealed: true)
    test.clock.advance(wall: Self.month, boot: Self.month)
    try test.unseal()
    #expect(standing(test) == .certain)
    try test.seal()
    test.clock.advance(wall: Self.month, boot: Self.month)
    try test.unseal()
    #expect(standing(test) == .certain)
    // What has passed in sealed time is not a week each time, either.
    test.clock.advance(wall: ClockFloor.allowance)
    try test.seal()
    try test.unseal()
    test.clock.advance(wall: 1)
    #expect(standing(test) == .held)
  }

  @Test func `a clock that is behind is not accepted, and the floor can be brought back`() throws {
    var test = try CommitTestVault()
    let right = test.clock.wallSeconds()
    // A week each run is believed: that is how a floor goes wrong.
    test.clock.advance(wall: 6 * Self.day)
    try test.publicKey("a")
    test = try test.restarted()
    test.clock.advance(wall: -6 * Self.day)
    #expect(standing(test) == .behind && test.vault.committer.now == right + 6 * Self.day)
    #expect(code { try test.acceptClock() } == .conflict)
    #expect(code { try test.setClockFloor(right + 1) } == .invalidParameters)
    #expect(code { try test.setClockFloor(0) } == .invalidParameters)
    #expect(code { try test.setClockFloor(.min) } == .invalidParameters)
    let set = try test.setClockFloor(right - 100)
    #expect(set.value == ClockReading(time: right, wall: right, standing: .certain))
    test = try test.restarted()
    #expect(standing(test) == .certain && test.vault.committer.now == right)
    #expect(try AuditLog(test).line(set.sequence)?.method == "clock.set_floor")
    #expect(test.damage == [])
    // One that is far below the clock is no more than that: the clock is held.
    #expect(try test.setClockFloor(right - 2 * Self.month).value.standing == .held)
    #expect(test.vault.committer.now == right - 2 * Self.month)
    try test.seal()
    #expect(code { try test.acceptClock() } == .sealed)
    #expect(code { try test.setClockFloor(right) } == .sealed)
  }

  @Test func `five minutes of a synchronised clock end it, and a break does not`() throws {
    var test = try CommitTestVault()
    test.clock.advance(wall: 3 * Self.month)
    #expect(standing(test) == .held)
    test.clock.synchronise()
    try test.pass(seconds: SynchronisedTime.needed - 30)
    #expect(standing(test) == .held)
    test.clock.synchronise(false)
    try test.pass(seconds: 30)
    test.clock.synchronise()
    try test.pass(seconds: SynchronisedTime.needed - 30)
    #expect(standing(test) == .held)
    try test.pass(seconds: 30)
    #expect(standing(test) == .certain)
    #expect(test.vault.committer.now == test.clock.wallSeconds())
    test = try test.restarted()
    #expect(standing(test) == .certain)
    let lines = try AuditLog(test).lines.filter { $0.method == "clock.synchronised" }
    #expect(lines.count == 1 && lines.allSatisfy { $0.outcome == "ok" && !$0.isRestrictive })
  }

  @Test func `what was seen while sealed counts when the vault is unsealed`() throws {
    var test = try CommitTestVault()
    test = try test.restarted(isSealed: true)
    test.clock.advance(wall: 3 * Self.month)
    test.clock.synchronise()
    try test.pass(seconds: SynchronisedTime.needed + 30)
    #expect(standing(test) == .held)
    try test.unseal()
    try test.pass(seconds: 0)
    #expect(standing(test) == .certain)
  }

  @Test func `a vault of an unset clock takes the right one only when told`() throws {
    // Made at a machine that has just started at 1970.
    let test = try CommitTestVault(LedgerTestVault(created: 100), clock: TestClock(wall: 200))
    #expect(standing(test) == .certain)
    test.clock.advance(wall: 1_700_000_000)
    #expect(standing(test) == .held)
    try test.acceptClock()
    #expect(test.vault.committer.now == 1_700_000_200)
    // Without any floor there is nothing to hold a clock by.
    let fresh = try CommitTestVault(LedgerTestVault(created: 0))
    #expect(standing(fresh) == .certain)
    fresh.clock.advance(wall: ClockFloor.allowance + 1)
    #expect(standing(fresh) == .held)
  }
}

extension CommitTestVault {
  @discardableResult
  func acceptClock() throws -> Numbered<ClockReading> {
    try ask { worker.acceptClock(by: Self.subject, $0) }
  }

  @discardableResult
  func setClockFloor(_ time: Int64) throws -> Numbered<ClockReading> {
    try ask { worker.setClockFloor(time, by: Self.subject, $0) }
  }

  /// Lets time pass, with a line each half minute and one at the end.
  fileprivate func pass(seconds: Int64) throws {
    for step in stride(from: 0, through: seconds, by: 30) {
      if step > 0 { clock.advance(wall: 30, boot: 30) }
      let note = Answer<Int64>()
      vault.committer.submit(
        .note(AuditEntry("test.note", by: .daemon), finish: note.reply))
      _ = try note.get()
    }
  }
}
