/// How the state of an installation was opened.
public enum BiqliOpening: String, CaseIterable, Hashable, Sendable {
  /// There was none.
  case created
  /// It was another installation's, and is deleted.
  case reset
  /// It is this installation's.
  case unchanged
  /// It is this installation's, and has another publishable key now.
  case keyReplaced = "key_replaced"
}
