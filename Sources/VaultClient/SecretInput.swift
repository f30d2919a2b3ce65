import SecureMemory
import VaultAPI

/// One answer line that may hold secrets, received into guarded memory.
struct SecretInput: ~Copyable {
  /// The most octets of such a line: what is passed on came in a request.
  static let limit = VaultLimits.requestOctets
  private static let firstSize = 4 << 10

  private var storage: SecretBytes
  /// The octets received; those of the line, once it is whole.
  private(set) var count = 0

  private init(size: Int) throws(VaultClientError) {
    do throws(SecureMemoryError) {
      storage = try SecretBytes(zeroed: size)
    } catch {
      throw .secretMemory(error)
    }
  }

  /// Receives the answer to the only call that has none yet.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - deadline: when to give up.
  /// - Returns: the line, its line feed left out.
  /// - Throws: ``VaultClientError``.
  static func line(
    from stream: borrowing UnixStream, deadline: Deadline
  ) throws(VaultClientError) -> SecretInput {
    var input = try SecretInput(size: firstSize)
    while true {
      let got = try stream.receive(into: &input.storage, at: input.count, deadline: deadline)
      guard got > 0 else { throw input.count > 0 ? .malformedAnswer : .closed }
      let searched = input.count
      input.count += got
      if let end = input.lineEnd(from: searched) {
        // Nothing was asked that more could answer.
        guard end == input.count - 1 else { throw .malformedAnswer }
        input.count = end
        return input
      }
      if input.count == input.storage.count { try input.grow() }
    }
  }

  /// Lets `body` read the line.
  borrowing func withBytes<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let count = count
    return try storage.withBytes { octets throws(Failure) in
      try body(octets.extracting(0..<count))
    }
  }

  private borrowing func lineEnd(from start: Int) -> Int? {
    let count = count
    return storage.withBytes { octets in
      (start..<count).first { octets[$0] == UInt8(ascii: "\n") }
    }
  }

  private mutating func grow() throws(VaultClientError) {
    guard storage.count < Self.limit else { throw .answerTooLong(limit: Self.limit) }
    var larger = try SecretInput(size: storage.count * 4)
    let count = count
    storage.withBytes { octets in
      larger.storage.withMutableBytes { output in
        for index in 0..<count { output[index] = octets[index] }
      }
    }
    larger.count = count
    self = larger
  }
}
