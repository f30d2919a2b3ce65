/// What the user wants of the lock.
public enum PresentationIntent: String, CaseIterable, Hashable, Sendable {
  /// To open it.
  case unsecure
  /// To lock it.
  case secure
  /// Nothing yet: the user comes near, and the reader decides, or is asked later.
  case approach
}
