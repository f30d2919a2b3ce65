import Glibc

/// The users who were refused a connection lately, so that one who comes again and again costs little.
struct StrangerTable {
  /// How many connections of a user are looked at in full within a second, once one was refused.
  static let patience = 8
  /// The most users that are remembered; beyond it, all are looked at in full again.
  private static let bound = 1024

  private var since = Instant(nanoseconds: 0)
  private var counts: [uid_t: Int] = [:]

  /// Notes that a user was refused.
  mutating func note(_ user: uid_t, at now: Instant) {
    if since.hasPassed(seconds: 1, at: now) || counts.count >= Self.bound {
      counts = [:]
      since = now
    }
    counts[user, default: 0] += 1
  }

  /// Whether a user was refused so often within this second that the next one is refused unseen.
  ///
  /// Another process of that user might be admitted, for its group or unit; it has to come again in the
  /// next second.
  func isTiresome(_ user: uid_t, at now: Instant) -> Bool {
    !since.hasPassed(seconds: 1, at: now) && counts[user] ?? 0 >= Self.patience
  }
}
