public import WireCoding

/// An answer line as a client sees it.
public struct VaultResponse: Sendable {
  /// The request's `id`; `nil` when the server could not read it.
  public let id: RequestID?
  /// The result, or the error.
  public let outcome: Result<JSONValue, ServerFailure>

  /// Reads one line.
  ///
  /// - Parameter line: the line without its line feed.
  /// - Throws: ``VaultAPIError/syntax(_:offset:)`` or ``VaultAPIError/notAnAnswer(offset:)``.
  public init(_ line: Span<UInt8>) throws(VaultAPIError) {
    let value: JSONValue
    do throws(WireCodingError) {
      value = try JSONValue(line)
    } catch {
      guard case .json(let fault, let offset) = error else { throw .notAnAnswer(offset: 0) }
      throw .syntax(fault, offset: offset)
    }
    guard value["jsonrpc"]?.text == "2.0", let id = value["id"] else {
      throw .notAnAnswer(offset: 0)
    }
    switch id {
    case .string(let text): self.id = .string(text)
    case .integer(let number): self.id = .number(number)
    case .null: self.id = nil
    default: throw .notAnAnswer(offset: 0)
    }
    switch (value["result"], value["error"]) {
    case (let result?, nil): outcome = .success(result)
    case (nil, let error?):
      guard let failure = ServerFailure(error) else { throw .notAnAnswer(offset: 0) }
      outcome = .failure(failure)
    default: throw .notAnAnswer(offset: 0)
    }
  }
}
