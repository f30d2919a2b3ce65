import VaultAPI
import WireCoding

/// One line from the server: whose answer it is, and what it says.
struct AnswerLine {
  private let id: JSONValue
  private let outcome: Result<JSONValue, ServerFailure>

  /// Reads a line.
  ///
  /// - Parameter line: the line without its line feed.
  /// - Throws: ``VaultClientError/malformedAnswer``.
  init(_ line: Span<UInt8>) throws(VaultClientError) {
    guard let value = try? JSONValue(line), value["jsonrpc"]?.text == "2.0", let id = value["id"]
    else { throw .malformedAnswer }
    self.id = id
    switch (value["result"], value["error"]) {
    case (let result?, nil): outcome = .success(result)
    case (nil, let error?):
      guard let failure = ServerFailure(error) else { throw .malformedAnswer }
      outcome = .failure(failure)
    default: throw .malformedAnswer
    }
  }

  /// What it says, if it answers the call.
  ///
  /// - Parameter number: the `id` of the only call that has no answer yet.
  /// - Returns: the result.
  /// - Throws: ``VaultClientError/malformedAnswer`` when it answers another call, and
  ///   ``VaultClientError/server(_:)``.
  func result(for number: Int64) throws(VaultClientError) -> JSONValue {
    switch outcome {
    case .success(let result):
      guard id == .integer(number) else { throw .malformedAnswer }
      return result
    case .failure(let failure):
      // Without an `id` the server could not read the call, or refused the connection before it.
      guard id == .integer(number) || id == .null else { throw .malformedAnswer }
      throw .server(failure)
    }
  }
}
