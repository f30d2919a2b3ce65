/// Which of a lock's pairs is meant.
public enum NokePairState: String, CaseIterable, Hashable, Sendable {
  /// The one in use.
  case active
  /// The one that takes its place once the lock has answered success to it.
  case pending
  /// The one whose place was taken.
  case former
}
