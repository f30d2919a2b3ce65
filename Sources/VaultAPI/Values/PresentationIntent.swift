/// What the user wants of the lock.
public enum PresentationIntent: String, CaseIterable, Hashable, Sendable {
  /// To open it.
  case unsecure
  /// To lock it.
  case secure
}
