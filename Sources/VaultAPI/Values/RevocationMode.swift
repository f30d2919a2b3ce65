/// What a reader does with the list of a revocation document.
public enum RevocationMode: String, CaseIterable, Hashable, Sendable {
  /// It takes the place of the list the reader has.
  case overwrite
  /// It is added to the list the reader has.
  case append
}
