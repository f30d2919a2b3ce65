public import WireCoding

/// What matches an answer to its request.
public enum RequestID: Hashable, Sendable {
  /// A string of 1 to 64 octets.
  case string(String)
  /// An integer within ±2^53.
  case number(Int64)

  /// Writes the value.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    switch self {
    case .string(let text): writer.string(text)
    case .number(let number): writer.integer(number)
    }
  }
}
