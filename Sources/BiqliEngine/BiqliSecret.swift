package import SecureMemory

/// Octets in guarded memory that several values may refer to, wiped with the last of them.
///
/// Tokens are bearer values, links may identify a person, and bodies have both in them: none of them is
/// ever in ordinary memory.
package final class BiqliSecret: Equatable, Sendable {
  /// The octets.
  package let bytes: SecretBytes

  /// Takes the octets over.
  ///
  /// - Parameter bytes: the octets.
  package init(_ bytes: consuming SecretBytes) {
    self.bytes = bytes
  }

  /// Copies octets, whose own memory stays the caller's to wipe.
  ///
  /// - Parameter octets: what to copy.
  /// - Throws: ``BiqliError/memoryExhausted``.
  convenience init(copying octets: Span<UInt8>) throws(BiqliError) {
    do { self.init(try SecretBytes(copying: octets)) } catch { throw .memoryExhausted }
  }

  /// Whether two have the same octets, in a time that depends on their numbers alone.
  package static func == (one: BiqliSecret, two: BiqliSecret) -> Bool {
    one.bytes.isEqual(to: two.bytes)
  }
}
