/// What the server answers by itself, without asking the service.
package enum FramingRefusal: Int, CaseIterable, Hashable, Sendable {
  /// The caller is not admitted; the connection closes.
  case forbidden = -32002
  /// The caller sends more requests than its rate allows.
  case rateLimited = -32012
  /// There are too many connections, or too many half-sent requests; the connection closes.
  case busy = -32013
  /// A line is longer than the request limit; the connection closes.
  case tooLarge = -32018
  /// The input ended inside a line; the connection closes.
  case parseError = -32700
  /// A request was given up without an answer.
  case internalError = -32603

  /// The name in `error.data.code`.
  package var code: String {
    switch self {
    case .forbidden: "forbidden"
    case .rateLimited: "rate_limited"
    case .busy: "busy"
    case .tooLarge: "too_large"
    case .parseError: "parse_error"
    case .internalError: "internal"
    }
  }

  /// Whether the same request may succeed later.
  package var isRetryable: Bool {
    self == .rateLimited || self == .busy
  }

  /// What to do about it, in plain words.
  package var message: String {
    switch self {
    case .forbidden: "this user may not use this socket; see CALLERS in vaultd(8)"
    case .rateLimited: "too many requests; slow down and send this one again"
    case .busy: "too many connections or half-sent requests; try again later"
    case .tooLarge: "the request is longer than the request limit"
    case .parseError: "the connection ended inside a line; end each request with a newline"
    case .internalError: "the request was given up inside the vault"
    }
  }

  /// The whole answer with a null `id`, without a newline.
  package var line: [UInt8] { line(retryAfter: nil) }

  /// The whole answer with a null `id`, without a newline.
  ///
  /// - Parameter retryAfter: after how many milliseconds the request may be let through, when that is
  ///   known.
  /// - Returns: its octets.
  func line(retryAfter: Int64?) -> [UInt8] {
    let wait = retryAfter.map { #","retry_after_ms":\#($0)"# } ?? ""
    let data = #"{"code":"\#(code)","retry":\#(isRetryable)\#(wait)}"#
    let error = #"{"code":\#(rawValue),"message":"\#(message)","data":\#(data)}"#
    return Array(#"{"jsonrpc":"2.0","id":null,"error":\#(error)}"#.utf8)
  }
}
