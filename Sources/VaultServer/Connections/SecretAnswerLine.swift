import WireCoding

/// An answer that holds secrets, with its newline, on its way to its connection: it stays in guarded
/// memory until the kernel has taken it.
final class SecretAnswerLine: Sendable {
  private let line: SecretLine

  /// Takes a line over.
  init(_ line: consuming SecretLine) {
    self.line = line
  }

  /// The octets of the line, its newline included.
  var count: Int { line.count }

  /// Whether it is one line and no more.
  var isOneLine: Bool {
    line.withBytes { octets in
      octets.firstIndex(of: newline).map { $0 == octets.count - 1 } ?? false
    }
  }

  /// Lets `body` read the octets, to send them.
  func withBytes<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
    line.withBytes(body)
  }
}
