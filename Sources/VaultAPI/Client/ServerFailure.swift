import WireCoding

/// An error answer, as it came.
///
/// The number and the name are kept apart from ``RPCErrorCode``, so that a class a newer server has
/// and this client does not know can still be shown.
public struct ServerFailure: Error, Hashable, Sendable {
  /// The number in `error.code`.
  public let number: Int64
  /// The word in `error.data.code`, empty when the server sent none.
  public let name: String
  /// What happened and what to do next, in the server's words.
  public let message: String
  /// The path of the parameter at fault.
  public let field: String?
  /// Whether the same call may succeed later.
  public let retry: Bool
  /// After how many milliseconds it may, when the server said so.
  public let retryAfter: Int64?

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - number: `error.code`.
  ///   - name: `error.data.code`.
  ///   - message: what happened, in the server's words.
  ///   - field: the path of the parameter at fault.
  ///   - retry: whether the same call may succeed later.
  ///   - retryAfter: after how many milliseconds it may, when the server said so.
  public init(
    number: Int64, name: String, message: String, field: String?, retry: Bool,
    retryAfter: Int64? = nil
  ) {
    self.number = number
    self.name = name
    self.message = message
    self.field = field
    self.retry = retry
    self.retryAfter = retryAfter
  }

  /// Makes what a client sees of an error that was sent.
  ///
  /// - Parameter error: the error.
  public init(_ error: RPCError) {
    self.init(
      number: error.code.number, name: error.code.name, message: error.message,
      field: error.field, retry: error.retry, retryAfter: error.retryAfter)
  }

  /// Reads an error object.
  ///
  /// - Parameter value: the member `error` of an answer; `nil` comes back when it has no number or
  ///   no message.
  init?(_ value: JSONValue) {
    guard let number = value["code"]?.number, let message = value["message"]?.text else {
      return nil
    }
    let data = value["data"]
    self.init(
      number: number, name: data?["code"]?.text ?? "", message: message,
      field: data?["field"]?.text, retry: data?["retry"]?.flag ?? false,
      retryAfter: data?["retry_after_ms"]?.number)
  }

  /// The class, `nil` when this client does not know it.
  public var code: RPCErrorCode? { RPCErrorCode(rawValue: number) }
}
