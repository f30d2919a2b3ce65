package import WireCoding

/// Whether a grant may be used at some time.
package enum NokeStanding: Hashable, Sendable {
  /// It may.
  case allowed
  /// Not yet: it begins at this time.
  case notYetValid(from: Timestamp)
  /// No more: this was its last second.
  case expired(at: Timestamp)
  /// Not now, but from this time on, when the next window begins; `nil` when none begins before the
  /// grant ends.
  case outside(next: Timestamp?)
}
