import CSodium
import Glibc

/// A secret in guarded memory: it cannot be copied, printed or compared with `==`, and is wiped
/// when it ends.
///
/// The bytes are reached only inside ``withBytes(_:)`` and ``withMutableBytes(_:)``; nothing
/// returns them. The view is a `Span<UInt8>` rather than a `RawSpan` because the standard library
/// marks loading from a raw span unsafe.
@safe public struct SecretBytes: ~Copyable, Sendable {
  private nonisolated(unsafe) let allocation: SecretArena.Allocation

  /// The number of bytes.
  public let count: Int

  /// Makes a secret of zero octets, to be filled in place.
  ///
  /// - Parameter count: its size in bytes, at most 16 MiB.
  /// - Throws: ``SecureMemoryError`` when no locked memory is left.
  public init(zeroed count: Int) throws(SecureMemoryError) {
    unsafe allocation = try SecretArena.shared.allocate(count)
    self.count = count
  }

  /// Makes a secret of random octets from the kernel's generator.
  ///
  /// - Parameter count: its size in bytes, at most 16 MiB.
  /// - Throws: ``SecureMemoryError`` when no locked memory is left.
  public init(random count: Int) throws(SecureMemoryError) {
    try self.init(zeroed: count)
    unsafe randombytes_buf(allocation.base, count)
  }

  /// Makes a secret with the octets of a view, whose own memory stays the caller's to wipe.
  ///
  /// - Parameter bytes: the octets to copy.
  /// - Throws: ``SecureMemoryError`` when no locked memory is left.
  public init(copying bytes: Span<UInt8>) throws(SecureMemoryError) {
    try self.init(zeroed: bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe memcpy(allocation.base, base, source.count)
    }
  }

  /// Lets `body` read the octets; the view must not outlive the call, nor its contents be copied
  /// into ordinary memory.
  ///
  /// - Parameter body: what to do with the octets.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe allocation.base.assumingMemoryBound(to: UInt8.self)
    return try body(unsafe Span(_unsafeStart: start, count: count))
  }

  /// Lets `body` write the octets in place.
  ///
  /// - Parameter body: what to do with the octets.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe allocation.base.assumingMemoryBound(to: UInt8.self)
    var span = unsafe MutableSpan(_unsafeStart: start, count: count)
    return try body(&span)
  }

  /// Makes a second secret with the same octets.
  ///
  /// - Returns: the copy.
  /// - Throws: ``SecureMemoryError`` when no locked memory is left.
  public borrowing func duplicate() throws(SecureMemoryError) -> SecretBytes {
    try withBytes { bytes throws(SecureMemoryError) in try SecretBytes(copying: bytes) }
  }

  /// Tells whether two secrets are equal, in a time that depends on their lengths alone.
  ///
  /// - Parameter other: the secret to compare with.
  /// - Returns: whether lengths and octets agree.
  public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe sodium_memcmp(allocation.base, other.allocation.base, count) == 0
  }

  deinit {
    unsafe SecretArena.shared.release(allocation)
  }
}
