/// Which of the two sockets a call came in by.
package enum Endpoint: String, CaseIterable, Hashable, Sendable {
  /// The socket of gateways and consoles.
  case client
  /// The socket of administrators, which serves every method.
  case admin
}
