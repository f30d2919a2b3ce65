import AccessPolicy
import Synchronization
import WireCoding

/// How much each caller, and each namespace, has left of the rates that the rules of the policy set.
///
/// It is the generic cell rate algorithm, as in ``TokenBucket``: the instant at which a bucket would be
/// full again stands for both the fill and its time. A bucket that is full is not kept. When there are
/// too many, the half goes that is nearest to being full, which gives away the least.
final class RateTable: Sendable {
  /// The most buckets.
  static let bound = 16_384

  private enum Key: Hashable {
    case user(rule: Int, UInt32)
    case namespace(rule: Int, NamespaceName)
  }

  private struct State {
    /// The revision of the policy whose rules the keys name.
    var revision: Int64 = 0
    /// When each bucket is full again.
    var full: [Key: UInt64] = [:]
  }

  private let state = Mutex(State())

  /// Makes a table of full buckets.
  init() {}

  /// How many buckets are not known to be full.
  var count: Int { state.withLock { $0.full.count } }

  /// Takes one call out of the buckets of the first rule that has one left.
  ///
  /// - Parameters:
  ///   - rules: the rules that allow the call, at least one.
  ///   - revision: the revision of their policy.
  ///   - user: who calls.
  ///   - namespace: the namespace that the call names.
  ///   - now: the time.
  /// - Returns: `nil` when there was one; else how many nanoseconds it takes until there is.
  func take(
    _ rules: some Sequence<GrantedRule>, of revision: Int64, user: UInt32,
    namespace: NamespaceName?, at now: @autoclosure () -> Instant = .now()
  ) -> UInt64? {
    var limited: [GrantedRule] = []
    for rule in rules {
      let isLimited = rule.rate != nil || rule.namespaceRate != nil && namespace != nil
      if !isLimited, limited.isEmpty { return nil }
      limited.append(rule)
      // A rule without a limit always has a call left: those behind it are not reached.
      if !isLimited { break }
    }
    let moment = now().nanoseconds
    return state.withLock { state in
      if revision > state.revision { state = State(revision: revision) }
      var shortest = UInt64.max
      for rule in limited {
        let wait = Self.take(rule, user, namespace, moment, &state)
        guard wait > 0 else { return nil }
        shortest = min(shortest, wait)
      }
      return shortest
    }
  }

  /// Takes one call out of both buckets of a rule, or out of neither.
  ///
  /// - Returns: zero, or how long to wait for the later one.
  private static func take(
    _ rule: GrantedRule, _ user: UInt32, _ namespace: NamespaceName?, _ now: UInt64,
    _ state: inout State
  ) -> UInt64 {
    var taken: [(key: Key, full: UInt64)] = []
    var wait: UInt64 = 0
    func ask(_ key: Key, _ rate: CallRate) {
      let interval = max(1, 1_000_000_000 / UInt64(rate.perSecond))
      let full = max(state.full[key] ?? 0, now) + interval
      let room = interval * UInt64(rate.burst)
      wait = max(wait, full - now > room ? full - now - room : 0)
      taken.append((key, full))
    }
    if let rate = rule.rate { ask(.user(rule: rule.index, user), rate) }
    if let rate = rule.namespaceRate, let namespace {
      ask(.namespace(rule: rule.index, namespace), rate)
    }
    guard wait == 0 else { return wait }
    for (key, full) in taken {
      if state.full[key] == nil { makeRoom(now, &state) }
      state.full[key] = full
    }
    return 0
  }

  private static func makeRoom(_ now: UInt64, _ state: inout State) {
    guard state.full.count >= bound else { return }
    state.full = state.full.filter { $0.value > now }
    guard state.full.count >= bound else { return }
    let middle = state.full.values.sorted()[bound / 2]
    state.full = state.full.filter { $0.value > middle }
  }
}
