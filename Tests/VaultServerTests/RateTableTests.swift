import AccessPolicy
import Foundation
import Testing
import WireCoding

@testable import VaultServer

@Suite struct RateTableTests {
  private struct NoAccounts: AccountDirectory {
    func user(named name: String) -> UInt32? { nil }
    func group(named name: String) -> UInt32? { nil }
  }

  private static let second: UInt64 = 1_000_000_000
  private let table = RateTable()

  /// The rules of a policy that allow everybody below to call for every namespace.
  private static func rules(_ limits: [String]) throws -> AllowingRules {
    let text = limits.map {
      "allow user:1 user:2\n  methods *\n  namespaces **\n" + ($0.isEmpty ? "" : "  \($0)\n")
    }
    let policy = try Policy("policy 1\n" + text.joined(), methods: nil)
    return PolicyInForce(policy, revision: 1, accounts: NoAccounts())
      .grant(of: "key.sign", to: Caller(uid: 1, gid: 1, groups: [], pid: 1))
      .allowing(.filtered)
  }

  private func take(
    _ limits: [String], _ nanoseconds: UInt64, user: UInt32 = 1, _ namespace: String? = "door",
    revision: Int64 = 1
  ) throws -> UInt64? {
    table.take(
      try Self.rules(limits), of: revision, user: user,
      namespace: try namespace.map { try NamespaceName($0) },
      at: Instant(nanoseconds: Self.second + nanoseconds))
  }

  @Test func `lets the burst of a user through, then the rate, and says how long to wait`() throws {
    let limits = ["rate 2 burst 3"]
    #expect(
      try (0..<5).map { _ in try take(limits, 0) } == [nil, nil, nil, 500_000_000, 500_000_000])
    #expect(try take(limits, 499_999_999) == 1)
    #expect(try take(limits, 500_000_000) == nil)
    // Another user has as much, and another namespace is no other bucket.
    #expect(try take(limits, 500_000_000, user: 2) == nil)
    #expect(try take(limits, 500_000_000, "window") == 500_000_000)
  }

  @Test func `a namespace has its own rate, whoever calls`() throws {
    let limits = ["namespace-rate 1 burst 2"]
    #expect(try take(limits, 0) == nil)
    #expect(try take(limits, 0, user: 2) == nil)
    #expect(try take(limits, 0) == Self.second)
    #expect(try take(limits, 0, "window") == nil)
    // A call that names none is not counted.
    #expect(try take(limits, 0, nil) == nil)
  }

  @Test func `takes out of both buckets of a rule or out of neither`() throws {
    let limits = ["rate 1 burst 3\n  namespace-rate 1 burst 1"]
    #expect(try take(limits, 0) == nil)
    for _ in 0..<100 { #expect(try take(limits, 0) == Self.second) }
    #expect(try take(limits, 0, "window") == nil)
    #expect(try take(limits, 0, "roof") == nil)
    #expect(try take(limits, 0, "floor") == Self.second)
  }

  @Test func `asks the next rule when one has nothing left, and tells the shortest wait`() throws {
    let limits = ["rate 1 burst 1", "rate 4 burst 2"]
    #expect(try (0..<4).map { _ in try take(limits, 0) } == [nil, nil, nil, Self.second / 4])
    #expect(try take(["rate 1 burst 1", ""], 0) == nil)
  }

  @Test func `a rule without a limit in front needs no table`() throws {
    for _ in 0..<100 { #expect(try take(["", "rate 1 burst 1"], 0) == nil) }
    #expect(table.count == 0)
  }

  @Test func `another policy starts with full buckets`() throws {
    #expect(try take(["rate 1 burst 1"], 0) == nil)
    #expect(try take(["rate 1 burst 1"], 0) == Self.second)
    #expect(try take(["rate 1 burst 1"], 0, revision: 2) == nil)
  }

  @Test func `stays within its bound, and forgets no bucket that is far from full`() throws {
    let limits = ["namespace-rate 1 burst 100"]
    for _ in 0..<100 { #expect(try take(limits, 0) == nil) }
    #expect(try take(limits, 0) == Self.second)
    let rules = try Self.rules(limits)
    for index in 0..<50_000 {
      let name = try NamespaceName("n\(index)")
      #expect(
        table.take(
          rules, of: 1, user: 1, namespace: name, at: Instant(nanoseconds: Self.second)) == nil)
    }
    #expect(table.count <= RateTable.bound)
    #expect(try take(limits, 0) == Self.second)
  }

  @Test func `lets through what a bucket of tokens would, call by call`() throws {
    var random = SystemRandomNumberGenerator()
    for (rate, burst) in [(1, 1), (3, 2), (50, 100), (1_000_000, 7)] as [(UInt64, UInt64)] {
      let limits = ["rate \(rate) burst \(burst)"]
      let table = RateTable()
      let rules = try Self.rules(limits)
      // Tokens in units of a nanosecond's worth of the rule's own interval.
      let interval = 1_000_000_000 / rate
      var tokens = burst * interval
      var now: UInt64 = Self.second
      for _ in 0..<2_000 {
        let pause = UInt64.random(in: 0...(3 * interval / 2), using: &random)
        now += pause
        tokens = min(burst * interval, tokens + pause)
        let wait = table.take(
          rules, of: 1, user: 1, namespace: nil, at: Instant(nanoseconds: now))
        #expect(wait == (tokens >= interval ? nil : interval - tokens))
        if wait == nil { tokens -= interval }
      }
    }
  }
}
