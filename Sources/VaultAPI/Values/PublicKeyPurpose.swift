/// What a key that `key.public` makes is for.
public enum PublicKeyPurpose: String, CaseIterable, Hashable, Sendable {
  /// It answers readers, and signs only what the vault builds itself.
  case presentation
  /// It signs content that callers choose.
  case signing
}
