import Foundation
import NokeEngine
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Packets for Nokē locks: made once for a session, and only as the grant allows.
@Suite struct OperationsNokeTests {
  @Test(arguments: NokeVectors.all)
  func `makes the packets of the vectors`(_ vector: NokeVectors.Vector) throws {
    let directory = try LedgerTestVault(created: vector.timestamp)
    let test = try CommitTestVault(directory, clock: TestClock(wall: vector.timestamp))
    try test.lock("other")
    try test.create("door")
    let grant = NokeGrant(mac: try test.mac(), pair: try vector.pair, environment: .sandbox)
    let _: CommitTestVault.Numbered<NokeStored> = try test.ask {
      test.worker.storeNoke(grant, try NamespaceName("door"), by: CommitTestVault.subject, $0)
    }
    let request = NokeUnlockRequest(
      session: try NokeSession(vector.session), embedsTime: vector.embedTimestamp)
    let made: CommitTestVault.Numbered<NokeUnlocking> = try test.ask {
      test.worker.unlockNoke(
        request, try test.mac(), try NamespaceName("door"), by: CommitTestVault.subject, $0)
    }
    #expect(made.value.packet.description == vector.packet)
    #expect(made.value.time.seconds == vector.timestamp)
    #expect(made.value.isEmbedded == vector.embedTimestamp)
    #expect(made.value.batteryMillivolts == vector.batteryMillivolts)
    #expect(made.value.generation == 1 && made.value.role == .active && !made.value.isRepeated)
  }

  /// Another request, user, session, form or pair than that of session 1.
  private func expectConflicts(_ test: CommitTestVault) throws {
    #expect(code { try test.unlock(1, embedsTime: true) } == .conflict)
    #expect(code { try test.unlock(1, embedsTime: true, request: "b") } == .conflict)
    #expect(code { try test.unlock(1, embedsTime: true, request: "a", user: 7) } == .conflict)
    #expect(code { try test.unlock(2, embedsTime: true, request: "a") } == .conflict)
    #expect(code { try test.unlock(1, request: "a") } == .conflict)
    let active = code { try test.unlock(1, embedsTime: true, role: .active, request: "a") }
    #expect(active == .conflict)
  }

  @Test func `a session has one packet, and the request that it was for gets it again`() throws {
    var test = try CommitTestVault()
    try test.lock("door")
    let first = try test.unlock(1, embedsTime: true, request: "a")
    let expected = try TestPair(1).packet(.number(1), time: 1_700_000_500)
    #expect(first.value.packet == expected && !first.value.isRepeated)
    for round in 1...2 {
      test.clock.advance(wall: 100, boot: 100)
      let again = try test.unlock(1, embedsTime: true, request: "a")
      #expect(again.value.packet == expected && again.value.isRepeated)
      #expect(again.value.time.seconds == 1_700_000_500)
      #expect(again.sequence > first.sequence)
      try expectConflicts(test)
      // What one user calls a request is nothing to another.
      let others = try test.unlock(10 + round, request: "a", user: 7 + UInt32(round)).value
      #expect(!others.isRepeated)
      test = try test.restarted()
    }
    // Not a word of the request is in the log; the lock and the digest of the session are.
    let lines = try AuditLog(test).lines.filter { $0.method == "noke.unlock" }
    let session = try NokeSession.number(1).octets
    let digest = BLAKE2b.hash(session.span)
    let text = String(decoding: try #require(lines.first).text, as: UTF8.self)
    #expect(text.contains(#","key_version":1,"#))
    #expect(
      text.contains(
        #""detail_digest":"\#(Hex.encode(digest.span))","lock":"CB:BC:87:3B:CB:D7","prev""#))
    #expect(lines.count == 17)
  }

  @Test func `the last 256 sessions are remembered`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    for session in 0...256 {
      test.clock.advance(wall: 1, boot: 1)
      try test.unlock(session, request: "\(session)")
    }
    #expect(code { try test.unlock(1) } == .conflict)
    #expect(code { try test.report(.success, of: 0) } == .notFound)
    try test.report(.success, of: 1)
    #expect(try test.unlock(1, request: "1").value.isRepeated)
    #expect(try !test.unlock(0).value.isRepeated)
    #expect(try test.records(of: "door") == ["noke/cbbc873bcbd7"])
  }

  private func failure(_ body: () throws -> Void) -> VaultError? {
    do {
      try body()
      return nil
    } catch {
      return error as? VaultError
    }
  }

  @Test func `ten packets at once, then one a second, for each lock of each namespace`() throws {
    var test = try CommitTestVault()
    try test.lock("door")
    try test.lock("other")
    try test.storeNoke(TestPair(2), mac: try test.mac("000000000001"))
    for session in 0..<10 { try test.unlock(session, request: "\(session)") }
    for _ in 0..<3 {
      let error = failure { try test.unlock(10) }
      #expect(error?.code == .rateLimited && error?.retryAfter == 1_000 && error?.retry == true)
    }
    // Neither a packet that was made before nor one for another lock.
    #expect(try test.unlock(3, request: "3").value.isRepeated)
    try test.unlock(10, "other")
    try test.unlock(10, mac: try test.mac("000000000001"))
    test.clock.advance(milliseconds: 400)
    #expect(code { try test.unlock(10) } == .rateLimited)
    test.clock.advance(milliseconds: 600)
    try test.unlock(10)
    #expect(code { try test.unlock(11) } == .rateLimited)
    test.clock.advance(boot: 3_600)
    for session in 11..<21 { try test.unlock(session) }
    #expect(code { try test.unlock(21) } == .rateLimited)
    // The session that was refused is a new one still.
    test = try test.restarted()
    try test.unlock(21)
  }

  @Test func `a namespace that is suspended, revoked, missing or sealed makes no packet`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    try test.unlock(1, request: "a")
    try test.suspend("door")
    #expect(code { try test.unlock(2) } == .keyUnusable)
    #expect(code { try test.unlock(1, request: "a") } == .keyUnusable)
    try test.report(.success, of: 1)
    try test.resume("door")
    try test.unlock(2)
    #expect(code { try test.unlock(1, "none") } == .notFound)
    #expect(code { try test.storeNoke(TestPair(1), "none") } == .notFound)
    let other = try test.mac("0000000000ff")
    #expect(code { try test.unlock(1, mac: other) } == .notFound)
    try test.seal()
    #expect(code { try test.unlock(3) } == .sealed)
    #expect(code { try test.storeNoke(TestPair(1)) } == .sealed)
    #expect(code { _ = try test.describeNoke() } == .sealed)
    try test.unseal()
    try test.revoke("door")
    #expect(code { try test.unlock(1, request: "a") } == .revoked)
    #expect(code { try test.storeNoke(TestPair(1)) } == .revoked)
    #expect(code { try test.report(.success, of: 1) } == .revoked)
    #expect(code { try test.promote() } == .revoked)
    #expect(code { try test.demote() } == .revoked)
    #expect(code { try test.deleteNoke() } == .revoked)
    #expect(code { _ = try test.describeNoke() } == .revoked)
    #expect(code { _ = try test.listNoke() } == .revoked)
    #expect(try test.records(of: "door") == [])
  }

  @Test func `a namespace has so many locks, each by itself`() throws {
    let test = try CommitTestVault()
    try test.lock("door")
    for number in 1..<CommitContext.lockBound {
      try test.storeNoke(
        TestPair(UInt8(number)), mac: try test.mac(String(format: "%012x", number)))
    }
    let one = try test.mac("AAAAAAAAAAAA")
    #expect(code { try test.storeNoke(TestPair(1), mac: one) } == .conflict)
    let locks = try test.listNoke()
    let door = try test.mac()
    #expect(locks.count == CommitContext.lockBound && locks.last == door)
    try test.storeNoke(TestPair(2))
    #expect(try test.deleteNoke().value)
    #expect(try !test.deleteNoke().value)
    #expect(code { try test.unlock(1) } == .notFound)
    try test.storeNoke(TestPair(1), mac: one)
    let lines = try AuditLog(test).lines.filter { $0.method == "noke.delete" }
    #expect(lines.map(\.isRestrictive) == [true, false])
  }

  @Test func `what is described is no secret, and tells pairs apart`() throws {
    let test = try CommitTestVault()
    let first = try test.lock("door").value
    let second = try test.storeNoke(TestPair(2)).value
    try test.lock("other")
    #expect(first.fingerprint != second.fingerprint && first.fingerprint.count == 32)
    #expect(try test.describeNoke("other").pairs.map(\.fingerprint) == [first.fingerprint])
    let found = try test.describeNoke()
    #expect(found.pairs.map(\.fingerprint) == [first.fingerprint, second.fingerprint])
    #expect(found.pairs.map(\.role) == [.active, .pending] && found.environment == .production)
    #expect(found.pairs.allSatisfy { $0.refusal == nil && $0.stored == 1_700_000_500 })
    // The fingerprint is that of the vault: another one has another.
    let foreign = try CommitTestVault()
    let other = try foreign.lock("door").value
    #expect(other.fingerprint != first.fingerprint)
  }
}
