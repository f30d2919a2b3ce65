/// Why a connection is not served, or not any more.
enum ConnectionEnding: String, CaseIterable {
  /// The caller is not admitted.
  case forbidden
  /// There are too many connections, or too many half-sent requests.
  case busy
  /// A line was longer than the limit.
  case tooLarge = "too_large"
  /// The input ended inside a line.
  case unfinished
  /// Another process wrote to the connection.
  case strangeWriter = "strange_writer"
  /// It was silent, half-sent or unread for too long.
  case timedOut = "timed_out"

  /// What the refusal of a connection's input comes to.
  init(_ refusal: FramingRefusal) {
    switch refusal {
    case .forbidden: self = .forbidden
    case .rateLimited, .busy, .internalError: self = .busy
    case .tooLarge: self = .tooLarge
    case .parseError: self = .unfinished
    }
  }
}
