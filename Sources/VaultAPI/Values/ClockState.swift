/// What the vault makes of the machine's clock.
public enum ClockState: String, CaseIterable, Hashable, Sendable {
  /// Nothing speaks against it.
  case certain
  /// It is behind what the vault has recorded.
  case behind
  /// It is too far ahead of what the vault knows to be believed.
  case held
}
