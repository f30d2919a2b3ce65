import VaultAPI
import WireCoding

extension VaultResponse {
  /// What the line says, if it answers the call.
  ///
  /// - Parameter number: the `id` of the only call that has no answer yet.
  /// - Returns: the result.
  /// - Throws: ``VaultClientError/malformedAnswer`` when it answers another call, and
  ///   ``VaultClientError/server(_:)``.
  func result(for number: Int64) throws(VaultClientError) -> JSONValue {
    try outcome.answered(by: id, to: number)
  }
}

extension SecretResponse {
  /// What the line says, if it answers the call.
  ///
  /// - Parameter number: the `id` of the only call that has no answer yet.
  /// - Returns: the result, its secrets apart.
  /// - Throws: ``VaultClientError/malformedAnswer`` when it answers another call, and
  ///   ``VaultClientError/server(_:)``.
  func result(for number: Int64) throws(VaultClientError) -> SecretAnswer {
    try outcome.answered(by: id, to: number)
  }
}

extension Result where Failure == ServerFailure {
  /// The result of an answer, if it is the one to the call.
  fileprivate func answered(
    by id: RequestID?, to number: Int64
  ) throws(VaultClientError) -> Success {
    switch self {
    case .success(let result):
      guard id == .number(number) else { throw .malformedAnswer }
      return result
    case .failure(let failure):
      // Without an `id` the server could not read the call, or refused the connection before it.
      guard id == .number(number) || id == nil else { throw .malformedAnswer }
      throw .server(failure)
    }
  }
}
