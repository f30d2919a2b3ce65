/// What the report of a failure did.
public enum BiqliFailureOutcome: String, CaseIterable, Hashable, Sendable {
  /// Nothing: the event is not the pending one.
  case stale
  /// The failure was final; nothing is pending.
  case dropped
  /// The failure may pass; the request stays to be sent again.
  case kept
}
