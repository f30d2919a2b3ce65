public import WireCoding

/// An answer line as a client sees it.
public struct VaultResponse: Sendable {
  /// The request's `id`; `nil` when the server could not read it.
  public let id: RequestID?
  /// The result, or the error.
  public let outcome: Result<JSONValue, RPCError>

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
    case (nil, let error?): outcome = .failure(try Self.error(error))
    default: throw .notAnAnswer(offset: 0)
    }
  }

  private static func error(_ value: JSONValue) throws(VaultAPIError) -> RPCError {
    guard let number = value["code"]?.number, let message = value["message"]?.text else {
      throw .notAnAnswer(offset: 0)
    }
    let data = value["data"]
    // A newer server may have a class this client does not know; the words still help.
    let code = RPCErrorCode(rawValue: number) ?? .internalError
    return RPCError(
      code, message: message, field: data?["field"]?.text, retry: data?["retry"]?.flag ?? false)
  }
}
