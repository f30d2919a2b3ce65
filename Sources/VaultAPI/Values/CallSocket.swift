/// The socket that a call comes in by.
public enum CallSocket: String, CaseIterable, Hashable, Sendable {
  /// The socket of gateways and consoles.
  case client
  /// The socket of administrators, which serves every method.
  case admin
}
