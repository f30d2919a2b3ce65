public import WireCoding

/// An error as it stands in an answer.
public struct RPCError: Error, Hashable, Sendable {
  /// Its class.
  public var code: RPCErrorCode
  /// What happened and what to do next; never a secret.
  public var message: String
  /// The path of the parameter at fault.
  public var field: String?
  /// Whether the same call may succeed later.
  public var retry: Bool
  /// After how many milliseconds it may, when that is known.
  public var retryAfter: Int64?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: its class.
  ///   - message: what happened and what to do next; the class's own words when `nil`.
  ///   - field: the path of the parameter at fault.
  ///   - retry: whether the same call may succeed later; the class's own answer when `nil`.
  ///   - retryAfter: after how many milliseconds it may, when that is known.
  public init(
    _ code: RPCErrorCode, message: String? = nil, field: String? = nil, retry: Bool? = nil,
    retryAfter: Int64? = nil
  ) {
    self.code = code
    self.message = message ?? code.defaultMessage
    self.field = field
    self.retry = retry ?? code.isRetryable
    self.retryAfter = retryAfter
  }

  /// Makes the answer to a line that could not be understood.
  ///
  /// - Parameter error: what was wrong with it.
  public init(_ error: VaultAPIError) {
    switch error {
    case .syntax(let fault, let offset):
      self.init(.parseError, message: "The line is refused at octet \(offset): \(fault.words).")
    case .parameter(let path, let fault, _):
      let name = path.isEmpty ? "params" : path
      self.init(.invalidParams, message: "\(name) \(fault.words).", field: name)
    case .noSecretMemory(let path):
      self.init(.busy, message: "No locked memory is left; wait and send it again.", field: path)
    case .notAnAnswer:
      self.init(.internalError)
    }
  }

  /// Writes the error object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("code")
    writer.integer(code.number)
    writer.name("message")
    writer.string(message)
    writer.name("data")
    writer.beginObject()
    writer.name("code")
    writer.string(code.name)
    writer.optional("field", field)
    writer.name("retry")
    writer.boolean(retry)
    writer.optional("retry_after_ms", retryAfter)
    writer.endObject()
    writer.endObject()
  }
}
