import SecureMemory

/// Writes the plaintext of a record into guarded memory of the right size, integers big-endian.
struct RecordWriter: ~Copyable {
  private var content: SecretBytes
  private var count = 0

  /// Starts.
  ///
  /// - Parameter size: how many octets will be written, no more and no less.
  /// - Throws: ``VaultError`` `busy` without locked memory.
  init(size: Int) throws(VaultError) {
    content = try Self.memory(size)
  }

  /// Writes octets.
  mutating func append(_ octets: Span<UInt8>) {
    let start = count
    count += octets.count
    guard count <= content.count else { return }
    content.withMutableBytes { output in output.write(octets, at: start) }
  }

  /// Writes an integer of so many octets.
  mutating func integer(_ value: UInt64, octets: Int) {
    for place in 0..<octets {
      let octet: [UInt8] = [UInt8(truncatingIfNeeded: value >> (8 * (octets - 1 - place)))]
      append(octet.span)
    }
  }

  /// Writes a time or a count, eight octets.
  mutating func integer(_ value: Int64) {
    integer(UInt64(bitPattern: value), octets: 8)
  }

  /// Writes a secret behind its length, two octets.
  mutating func secret(_ secret: HeldSecret) {
    integer(UInt64(clamping: secret.count), octets: 2)
    secret.bytes.withBytes { append($0) }
  }

  /// Ends the writing; a record that was not filled says so when it is opened.
  consuming func finish() -> SecretBytes { content }

  private static func memory(_ size: Int) throws(VaultError) -> SecretBytes {
    do { return try SecretBytes(zeroed: size) } catch { throw VaultError(.memory(error)) }
  }
}
