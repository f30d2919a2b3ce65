package import NokeEngine
import SecureMemory
import WireCoding

/// Which of a lock's pairs is meant.
package enum NokeRole: String, CaseIterable, Hashable, Sendable {
  /// The one in use.
  case active
  /// The one that takes its place once the lock has answered success to it.
  case pending
  /// The one whose place was taken last.
  case former
}

/// A pair that may be referred to from several places, and is wiped with the last of them.
package final class SharedNokePair: Sendable {
  /// The pair.
  package let pair: NokePair

  /// Takes the pair over.
  package init(_ pair: consuming NokePair) { self.pair = pair }

  /// Whether two pairs have the same octets, in a time that does not depend on them.
  func isEqual(to other: SharedNokePair) throws(NokeError) -> Bool {
    let one = try pair.stored()
    let two = try other.pair.stored()
    return one.isEqual(to: two)
  }
}

/// One of a lock's pairs with all that is known of it.
struct NokeGeneration: Sendable {
  /// Its number among the pairs of the record, from 1, which no other one ever gets.
  let number: Int64
  /// The secrets.
  let pair: SharedNokePair
  /// When it may be used.
  var validity: NokeValidity
  /// When it was stored, Unix seconds.
  let stored: Int64
  /// Since when its place is another's, Unix seconds; `nil` for one that is active or pending.
  var retired: Int64?
  /// Whether the lock was reported to have answered that it is the wrong key, and not success since.
  var isStale = false
  /// In how many sessions the lock has answered success since it is active; held at 255.
  var successes: Int64 = 0

  /// Whether its grant is over, and its schedule does not begin again before the end.
  func isOver(at time: Int64) -> Bool {
    switch validity.standing(at: Timestamp(clamping: time)) {
    case .expired, .outside(nil): true
    case .allowed, .notYetValid, .outside: false
    }
  }

  /// Whether the lock may well take it, as far as the vault has heard.
  func isGood(at time: Int64) -> Bool { !isStale && !isOver(at: time) }

  /// Sees that a packet may be made with it now.
  ///
  /// Nobody but the vault keeps the end of a grant. While the wall clock is behind the floor, or held,
  /// nobody knows how late it is, only that it is later than the time that counts: what is over then is
  /// over, what has begun has begun, and what has an end or a schedule is refused.
  ///
  /// - Parameters:
  ///   - time: the time that counts, Unix seconds.
  ///   - isClockUncertain: whether it may be later than that.
  /// - Throws: ``VaultError`` `expired`, `not_yet_valid` or `clock_uncertain`.
  func check(at time: Int64, isClockUncertain: Bool) throws(VaultError) {
    let standing = validity.standing(at: Timestamp(clamping: time))
    if case .expired(let end) = standing {
      throw VaultError(.expired, "the grant ended at \(end): store a newer one", field: "mac")
    }
    var isCertain = validity.notAfter == nil && validity.schedule == nil
    if case .notYetValid = standing { isCertain = false }
    guard !isClockUncertain || isCertain else {
      throw VaultError(
        .clockUncertain,
        "how late it is is not certain, and the grant has limits: see 'vaultctl status'",
        retry: true)
    }
    switch standing {
    case .allowed, .expired: return
    case .notYetValid(let start):
      throw VaultError(
        .notYetValid, "the grant begins at \(start): wait for that time", field: "mac")
    case .outside(let next?):
      throw VaultError(
        .notYetValid, "the schedule allows nothing before \(next): wait for that time",
        field: "mac")
    case .outside(nil):
      throw VaultError(
        .expired, "the grant ends before its schedule begins again: store a newer one",
        field: "mac")
    }
  }
}
