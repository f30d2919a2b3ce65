/// Where the request that is to be sent comes from.
public enum BiqliBeginning: String, CaseIterable, Hashable, Sendable {
  /// It is a new one.
  case new
  /// It is the stored one, octet for octet.
  case resumed
  /// It is a new one: a link or token came after the one that was pending.
  case replaced
  /// It is a new one: the pending one says that probabilistic matching is allowed, and it is no more.
  case consentWithdrawn = "consent_withdrawn"
  /// It is a new one: the pending one was older than seven days.
  case expired
}
