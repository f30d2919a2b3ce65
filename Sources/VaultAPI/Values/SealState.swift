/// Whether the vault holds its master key.
public enum SealState: String, CaseIterable, Hashable, Sendable {
  /// It does not, and answers little.
  case sealed
  /// It does.
  case unsealed
}
