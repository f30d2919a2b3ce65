/// What an answer of the service did.
public enum BiqliCompletionOutcome: String, CaseIterable, Hashable, Sendable {
  /// Nothing: the event is not the pending one.
  case stale
  /// It was a match, which is kept; first open is over.
  case matched
  /// It was no match; nothing is pending.
  case unmatched
}
