import SecureMemory

/// Writes JSON that may hold secrets into guarded memory of a fixed size.
///
/// Writing past the end drops what does not fit and is told by ``finish()``.
public struct SecretJSONWriter: ~Copyable, JSONWriting {
  private var buffer: SecretBytes
  private var count = 0
  private var isFull = false

  /// Whether the next name or element follows another one.
  public var needsComma = false

  /// Takes the buffer.
  ///
  /// - Parameter capacity: the most octets that can be written.
  /// - Throws: ``WireCodingError/secretMemory(_:)``.
  public init(capacity: Int) throws(WireCodingError) {
    buffer = try Base64.makeSecret(capacity)
  }

  /// Appends octets as they are.
  ///
  /// - Parameter octets: what to append.
  public mutating func append(_ octets: Span<UInt8>) {
    let start = count
    guard octets.count <= buffer.count - start else {
      isFull = true
      return
    }
    buffer.withMutableBytes { output in
      for index in octets.indices { output[start + index] = octets[index] }
    }
    count += octets.count
  }

  /// Appends one octet as it is.
  ///
  /// - Parameter octet: what to append.
  public mutating func append(_ octet: UInt8) {
    let at = count
    guard at < buffer.count else {
      isFull = true
      return
    }
    buffer.withMutableBytes { output in output[at] = octet }
    count += 1
  }

  /// Appends the base64 of octets, without quotation marks, and without a table that would be
  /// indexed by them.
  ///
  /// - Parameter octets: what to encode.
  public mutating func appendBase64(_ octets: Span<UInt8>) {
    var index = 0
    while index < octets.count {
      let left = octets.count - index
      let group =
        UInt32(octets[index]) << 16 | (left > 1 ? UInt32(octets[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(octets[index + 2]) : 0)
      for position in 0..<4 {
        let value = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * position) & 63)
        append(position <= left ? Base64.character(of: value) : UInt8(ascii: "="))
      }
      index += 3
    }
  }

  /// Ends the writing.
  ///
  /// - Returns: what was written.
  /// - Throws: ``WireCodingError/bufferFull(capacity:)`` when not everything fitted.
  public consuming func finish() throws(WireCodingError) -> SecretLine {
    guard !isFull else { throw .bufferFull(capacity: buffer.count) }
    let count = count
    return SecretLine(buffer: buffer, count: count)
  }
}
