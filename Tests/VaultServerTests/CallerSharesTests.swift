import AccessPolicy
import Testing

@testable import VaultServer

/// What users have of the server, and what nobody can take from the administrators.
@Suite struct CallerSharesTests {
  private static func caller(_ uid: UInt32) -> Caller {
    Caller(uid: uid, gid: uid, groups: [], pid: 42)
  }

  private func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    change(&limits)
    return limits
  }

  @Test func `a crowd leaves connections to administrators, by whichever socket it comes`() {
    let shares = CallerShares(
      limits {
        $0.connectionLimit = 10
        $0.callerConnectionLimit = 4
      })
    var counts: [UInt32: Int] = [:]
    for uid: UInt32 in [1000, 1001, 1002] {
      for _ in 0..<20 where shares.enter(Self.caller(uid), .unnamed, by: .admin, at: .now()) != nil
      {
        counts[uid, default: 0] += 1
      }
    }
    #expect(counts == [1000: 4, 1001: 4, 1002: 2])
    #expect(shares.enter(Self.caller(1003), .client, by: .admin, at: .now()) == nil)
    let admins = (0..<40).count { _ in
      shares.enter(Self.caller(0), .administrator, by: .admin, at: .now()) != nil
    }
    #expect(admins == CallerShares.adminReserve)
    #expect(shares.enter(Self.caller(0), .administrator, by: .client, at: .now()) == nil)
  }

  @Test func `a user's half requests leave memory to others, and a crowd's to administrators`()
    throws
  {
    let shares = CallerShares(limits { $0.partialLimit = 1 << 20 })
    func taken(_ uid: UInt32, _ standing: Standing) throws -> Int {
      let share = try #require(shares.enter(Self.caller(uid), standing, by: .client, at: .now()))
      let budget = shares.budget(of: share, standing)
      return (0..<2_000).count { _ in budget.take(1 << 10) }
    }
    #expect(try taken(1000, .unnamed) == 512)
    // Another connection of the same user has no more.
    #expect(try taken(1000, .unnamed) == 0)
    #expect(try taken(1001, .client) == 256)
    #expect(try taken(1002, .unnamed) == 0)
    #expect(try taken(0, .administrator) == 256)
    let share = try #require(shares.enter(Self.caller(1000), .unnamed, by: .admin, at: .now()))
    shares.budget(of: share, .unnamed).giveBack(1 << 10)
    #expect(try taken(1002, .unnamed) == 1)
  }
}
