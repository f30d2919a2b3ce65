import SecureMemory

/// Text that may hold secrets, in guarded memory, wiped when it ends.
public struct SecretLine: ~Copyable, Sendable {
  private let buffer: SecretBytes

  /// The number of octets.
  public let count: Int

  init(buffer: consuming SecretBytes, count: Int) {
    self.buffer = buffer
    self.count = count
  }

  /// Lets `body` read the octets, to send them.
  ///
  /// - Parameter body: what to do with the octets.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let count = count
    return try buffer.withBytes { octets throws(Failure) in try body(octets.extracting(0..<count)) }
  }
}
