import DiskFaults
import Foundation
import NokeEngine
import SecureMemory
import Testing
import WireCoding

@testable import VaultCore

/// Long walks through the life of a lock's record, watched by a second account of what happened.
@Suite struct NokeRecordWalkTests {
  /// What is known from the answers alone.
  private struct Account {
    /// The pairs that were stored and not replaced while pending and unused.
    var pairs: Set<Int64> = [1]
    var stale: Set<Int64> = []
    /// Since when each pair is not in use.
    var retired: [Int64: Int64] = [:]
    var active: Int64 = 1
    var pending: Int64?
    /// The sessions that opened the lock since the active pair is in use.
    var confirmed: Set<Int> = []
    /// The pair of each session, and whether success was reported.
    var sessions: [Int: (pair: Int64, succeeded: Bool)] = [:]

    mutating func use(_ next: Int64, at time: Int64) {
      retired[active] = time
      retired[next] = nil
      if pending == next { pending = nil }
      active = next
      confirmed = []
      stale.remove(next)
    }

    /// Whether a packet was made with a pair, as far back as the vault remembers.
    func isTried(_ number: Int64) -> Bool {
      sessions.sorted { $0.key < $1.key }.suffix(NokeRecord.useBound)
        .contains { $0.value.pair == number }
    }
  }

  private static let month = NokeRecord.retention

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `there is a pair to open with, and none goes before its time`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var time: Int64 = 1_700_000_000
    var record = NokeRecord(try TestPair(1).shared, .always, .production, at: time)
    var account = Account()
    var erased = 0
    for step in 0..<1_000 {
      time += Int64(random.next() % 3) * Self.month / 20
      switch random.next() % 24 {
      case 0: try store(&record, &account, at: time)
      case 1...8: try unlock(&record, &account, step, &random, at: time)
      case 9...19: try report(&record, &account, &random, at: time)
      case 20: try promote(&record, &account, at: time)
      case 21: try demote(&record, &account, at: time)
      default: erased += erase(&record, &account, at: time) ? 1 : 0
      }
      try check(record, account, "\(seed), \(step)")
    }
    #expect(erased > 0)
  }

  private func check(_ record: NokeRecord, _ account: Account, _ comment: String) throws {
    #expect(record.active.number == account.active, "\(comment)")
    #expect(record.pending?.number == account.pending, "\(comment)")
    #expect(Set(record.pairs.map(\.generation.number)) == account.pairs, "\(comment)")
    #expect(record.pairs.count == account.pairs.count, "\(comment)")
    for (_, generation) in record.pairs {
      #expect(generation.isStale == account.stale.contains(generation.number), "\(comment)")
      #expect(generation.retired == account.retired[generation.number], "\(comment)")
    }
    let content = try record.encode()
    let again = try NokeRecord(opening: content).encode()
    let isSame = again.isEqual(to: content)
    #expect(isSame, "\(comment)")
  }

  private func store(_ record: inout NokeRecord, _ account: inout Account, at time: Int64) throws {
    let pair = try TestPair(UInt8(truncatingIfNeeded: record.newest + 1)).shared
    let replaced = account.pending.flatMap { account.isTried($0) ? nil : $0 }
    let isFull =
      account.pairs.count - (replaced == nil ? 0 : 1) == NokeRecord.spareBound + 1
    guard !isFull else {
      #expect(code { _ = try record.store(pair, .always, .production, at: time) } == .conflict)
      return
    }
    let stored = try record.store(pair, .always, .production, at: time)
    #expect(stored.replaced == (replaced != nil) && stored.role == .pending)
    if let replaced {
      account.pairs.remove(replaced)
      account.stale.remove(replaced)
    } else if let tried = account.pending {
      account.retired[tried] = time
    }
    account.pending = stored.generation.number
    account.pairs.insert(stored.generation.number)
  }

  private func unlock(
    _ record: inout NokeRecord, _ account: inout Account, _ step: Int,
    _ random: inout SplitMix, at time: Int64
  ) throws {
    let chosen = try record.select(nil, at: time).generation
    // The active pair, unless it is stale and another one is not.
    let good = account.pairs.subtracting(account.stale)
    if good.contains(account.active) {
      #expect(chosen.number == account.active)
    } else if let pending = account.pending, good.contains(pending) {
      #expect(chosen.number == pending)
    } else {
      #expect(good.isEmpty ? chosen.number == account.active : good.contains(chosen.number))
    }
    let role = [nil, .active, .pending, .former][Int(random.next() % 4)] as NokeRole?
    guard let found = try? record.select(role, at: time) else { return }
    let request = NokeUnlockRequest(session: try .number(step))
    record.note(
      NokeUse(
        user: 1000, session: request.session.octets, generation: found.generation.number,
        time: time,
        isEmbedded: false, role: role, request: nil))
    account.sessions[step] = (found.generation.number, false)
  }

  private func report(
    _ record: inout NokeRecord, _ account: inout Account, _ random: inout SplitMix,
    at time: Int64
  ) throws {
    let known = account.sessions.keys.sorted().suffix(NokeRecord.useBound)
    guard let session = known.dropFirst(Int(random.next() % UInt64(max(known.count, 1)))).first,
      let use = account.sessions[session]
    else { return }
    let isSuccess = random.next() % 40 != 0
    let response: NokeResponse = isSuccess ? try .success : try .wrongKey
    let reported = try record.report(response, of: .number(session), at: time)
    #expect(reported.generation == use.pair)
    guard !use.succeeded else {
      #expect(!reported.isPromoted && !reported.hasChanged)
      return
    }
    if isSuccess {
      account.sessions[session]?.succeeded = true
      account.stale.remove(use.pair)
      let isPromotion = use.pair > account.active && account.pairs.contains(use.pair)
      #expect(reported.isPromoted == isPromotion)
      if isPromotion { account.use(use.pair, at: time) }
      if use.pair == account.active { account.confirmed.insert(session) }
    } else if account.pairs.contains(use.pair) {
      account.stale.insert(use.pair)
    }
  }

  private func promote(
    _ record: inout NokeRecord, _ account: inout Account, at time: Int64
  ) throws {
    guard let pending = account.pending else {
      #expect(code { try record.promote(at: time) } == .notFound)
      return
    }
    try record.promote(at: time)
    account.use(pending, at: time)
  }

  private func demote(
    _ record: inout NokeRecord, _ account: inout Account, at time: Int64
  ) throws {
    let former = Set(account.retired.keys)
    guard !former.isEmpty else {
      #expect(code { try record.demote(at: time) } == .notFound)
      return
    }
    let before = account.active
    try record.demote(at: time)
    // Rather one that the lock has not refused.
    let good = former.subtracting(account.stale)
    #expect((good.isEmpty ? former : good).contains(record.active.number))
    account.use(record.active.number, at: time)
    if account.pending == nil {
      account.pending = before
      account.retired[before] = nil
    }
  }

  /// Erases, of which only what is old and replaced by a proven pair may be.
  private func erase(
    _ record: inout NokeRecord, _ account: inout Account, at time: Int64
  ) -> Bool {
    let isProven = account.confirmed.count >= 2 && !account.stale.contains(account.active)
    let gone = isProven ? account.retired.filter { time - $0.value >= Self.month } : [:]
    #expect(record.eraseFormer(at: time) == !gone.isEmpty)
    for number in gone.keys {
      account.pairs.remove(number)
      account.retired[number] = nil
      account.stale.remove(number)
    }
    return !gone.isEmpty
  }
}
