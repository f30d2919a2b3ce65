import Foundation
import NokeEngine
import Testing
import WireCoding

@testable import VaultCore

/// When a pair may be used, and what an uncertain clock means to that.
@Suite struct OperationsNokeGrantTests {
  @Test func `a grant is kept to the second, and its schedule to the minute`() throws {
    let test = try CommitTestVault()
    let start = Timestamp(clamping: 1_700_000_600)
    let end = Timestamp(clamping: 1_700_000_700)
    try test.lock("other")
    try test.create("door")
    try test.storeNoke(TestPair(1), validity: NokeValidity(notBefore: start, notAfter: end))
    #expect(code { try test.unlock(1) } == .notYetValid)
    test.clock.advance(wall: 100, boot: 100)
    try test.unlock(1, request: "a")
    test.clock.advance(wall: 100, boot: 100)
    try test.unlock(2)
    test.clock.advance(wall: 1, boot: 1)
    #expect(code { try test.unlock(3) } == .expired)
    // Not even once more.
    #expect(code { try test.unlock(1, request: "a") } == .expired)
    // 2023-11-14 is a Tuesday; it is 22:25 by now.
    let schedule = try NokeSchedule(
      windows: [NokeWindow("tue 22:30-23:00")], utcOffsetMinutes: 0)
    try test.storeNoke(
      TestPair(2), "other", mac: try test.mac("000000000002"),
      validity: NokeValidity(schedule: schedule))
    func unlock(_ session: Int) throws {
      try test.unlock(session, "other", mac: try test.mac("000000000002"))
    }
    #expect(code { try unlock(1) } == .notYetValid)
    test.clock.advance(wall: 600, boot: 600)
    try unlock(1)
    test.clock.advance(wall: 1_800, boot: 1_800)
    let error = failure { try unlock(2) }
    #expect(error?.code == .notYetValid && error?.message.contains("2023-11-21T22:30:00Z") == true)
  }

  /// What each of some locks says to a session.
  private func codes(
    _ test: CommitTestVault, _ macs: [NokeMAC], _ session: Int
  ) -> [VaultError.Code?] {
    macs.map { mac in code { try test.unlock(session, mac: mac) } }
  }

  private func failure(_ body: () throws -> Void) -> VaultError? {
    do {
      try body()
      return nil
    } catch {
      return error as? VaultError
    }
  }

  @Test func `behind the floor nothing with a limit is opened`() throws {
    var test = try CommitTestVault()
    try test.create("door")
    let far = Timestamp(clamping: 1_800_000_000)
    let early = Timestamp(clamping: 1_700_000_400)
    let always = try NokeSchedule(
      windows: [NokeWindow("mon,tue,wed,thu,fri,sat,sun 00:00-24:00")], utcOffsetMinutes: 0)
    let limits: [NokeValidity] = [
      .always, try NokeValidity(notAfter: far), try NokeValidity(schedule: always),
      try NokeValidity(notBefore: early), try NokeValidity(notAfter: early),
      try NokeValidity(notBefore: far),
    ]
    let macs = try limits.indices.map { try test.mac("00000000000\($0)") }
    for (index, validity) in limits.enumerated() {
      try test.storeNoke(TestPair(UInt8(index)), mac: macs[index], validity: validity)
    }
    #expect(codes(test, macs, 1) == [nil, nil, nil, nil, .expired, .notYetValid])
    // A gateway that starts without a clock.
    test.vault.close()
    test = try CommitTestVault(test.directory, clock: TestClock(wall: 0))
    let uncertain: [VaultError.Code?] = [
      nil, .clockUncertain, .clockUncertain, nil, .expired, .clockUncertain,
    ]
    #expect(codes(test, macs, 2) == uncertain)
    let described: CommitTestVault.Numbered<NokeDescription> = try test.ask {
      test.worker.describeNoke(
        macs[1], try NamespaceName("door"), by: CommitTestVault.subject, $0)
    }
    #expect(described.value.pairs.map(\.refusal) == [.clockUncertain])
    // Set back by a little, as clocks are, the floor counts.
    test.clock.advance(wall: 1_700_000_440)
    #expect(codes(test, macs, 3) == [nil, nil, nil, nil, .expired, .notYetValid])
  }
}
