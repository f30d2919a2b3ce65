/// Which world a lock's pairs belong to: sandbox locks generally share one key.
public enum LockEnvironment: String, CaseIterable, Hashable, Sendable {
  /// For trials.
  case sandbox
  /// For doors.
  case production
}
