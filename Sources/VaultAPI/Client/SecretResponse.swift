import WireCoding

/// An answer line that may hold secrets, as a client sees it.
public struct SecretResponse: Sendable {
  /// The request's `id`; `nil` when the server could not read it.
  public let id: RequestID?
  /// The result, or the error.
  public let outcome: Result<SecretAnswer, ServerFailure>

  /// Reads one line.
  ///
  /// - Parameters:
  ///   - line: the line without its line feed.
  ///   - method: the method that was called, which tells where secrets stand.
  /// - Throws: ``VaultAPIError/syntax(_:offset:)``, ``VaultAPIError/notAnAnswer(offset:)``, or
  ///   ``VaultAPIError/noSecretMemory(path:)``.
  public init(_ line: Span<UInt8>, to method: VaultMethod) throws(VaultAPIError) {
    try self.init(line, secrets: method.secretResults)
  }

  /// Reads one line with secrets in known places.
  init(_ line: Span<UInt8>, secrets: [String]) throws(VaultAPIError) {
    var members = Members()
    do throws(WireCodingError) {
      try members.read(line, secrets)
    } catch {
      switch error {
      case .json(let fault, let offset): throw .syntax(fault, offset: offset)
      case .secretMemory: throw .noSecretMemory(path: "result")
      default: throw .notAnAnswer(offset: 0)
      }
    }
    guard members.version?.text == "2.0" else { throw .notAnAnswer(offset: 0) }
    switch members.id {
    case .string(let text): id = .string(text)
    case .integer(let number): id = .number(number)
    case .null: id = nil
    default: throw .notAnAnswer(offset: 0)
    }
    switch (members.result, members.error) {
    case (let result?, nil): outcome = .success(result)
    case (nil, let error?):
      guard let failure = ServerFailure(error) else { throw .notAnAnswer(offset: 0) }
      outcome = .failure(failure)
    default: throw .notAnAnswer(offset: 0)
    }
  }

  /// The members of an answer, each as far as it was there.
  private struct Members {
    var version: JSONValue?
    var id: JSONValue?
    var result: SecretAnswer?
    var error: JSONValue?

    mutating func read(
      _ line: Span<UInt8>, _ secrets: [String]
    ) throws(WireCodingError) {
      var reader = JSONReader(line)
      try reader.beginObject()
      var names: Set<String> = []
      while let token = try reader.nextName() {
        let name = reader.text(token)
        guard names.insert(name).inserted else {
          throw .json(.duplicateName, offset: token.start - 1)
        }
        switch name {
        case "jsonrpc": version = try JSONValue(from: &reader)
        case "id": id = try JSONValue(from: &reader)
        case "result": result = try SecretAnswer(from: &reader, secrets: secrets)
        case "error": error = try JSONValue(from: &reader)
        default: try reader.skipValue()
        }
      }
      try reader.finish()
    }
  }
}
