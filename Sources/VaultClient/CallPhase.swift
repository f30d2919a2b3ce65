/// How far a call had come.
public enum CallPhase: String, Hashable, Sendable {
  /// Waiting for the server to accept the connection.
  case connecting
  /// Waiting for the server to take the request.
  case sending
  /// Waiting for the answer.
  case waiting
}
