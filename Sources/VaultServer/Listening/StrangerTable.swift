import AccessPolicy
import Glibc

/// The users who were refused a connection lately, so that one who comes again and again costs little.
struct StrangerTable {
  /// One who was refused: at one socket, as the other may be open to the same user.
  private struct Stranger: Hashable {
    let user: uid_t
    let endpoint: Endpoint
  }

  /// How many connections of a user are looked at in full within a second, once one was refused.
  static let patience = 8
  /// The most strangers that are remembered; beyond it, all are looked at in full again.
  private static let bound = 1024

  private var since = Instant(nanoseconds: 0)
  private var rules: UInt64 = 0
  private var counts: [Stranger: Int] = [:]

  /// Notes that a user was refused, by the rules that ``Admission/changes`` numbers.
  mutating func note(_ user: uid_t, by endpoint: Endpoint, under rules: UInt64, at now: Instant) {
    if rules != self.rules || since.hasPassed(seconds: 1, at: now) || counts.count >= Self.bound {
      counts = [:]
      since = now
      self.rules = rules
    }
    counts[Stranger(user: user, endpoint: endpoint), default: 0] += 1
  }

  /// Whether a user was refused so often within this second, by the same rules, that the next one is
  /// refused unseen.
  ///
  /// Another process of that user might be admitted, for its group or unit; it has to come again in the
  /// next second.
  func isTiresome(
    _ user: uid_t, by endpoint: Endpoint, under rules: UInt64, at now: Instant
  ) -> Bool {
    rules == self.rules && !since.hasPassed(seconds: 1, at: now)
      && counts[Stranger(user: user, endpoint: endpoint)] ?? 0 >= Self.patience
  }
}
