import CSodium

/// A BLAKE2b-256 (RFC 7693) over public octets that come in pieces.
///
/// A value: a copy goes on by itself, which is how a writer returns to where it stood before a
/// failed write.
public struct BLAKE2bStream: Sendable {
  private var state: [UInt8]

  /// The alignment that libsodium declares for its state.
  private static let alignment = 64

  /// Starts a hash.
  public init() {
    state = [UInt8](repeating: 0, count: crypto_generichash_statebytes())
    unsafe withState { state in _ = unsafe crypto_generichash_init(state, nil, 0, 32) }
  }

  /// Adds a piece.
  ///
  /// - Parameter bytes: the piece, of any length.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe withState { state in
      unsafe bytes.withOctets { bytes, count in
        _ = unsafe crypto_generichash_update(state, bytes, UInt64(count))
      }
    }
  }

  /// The hash of what was added so far; more can still be added.
  ///
  /// - Returns: 32 octets.
  public func digest() -> [UInt8] {
    var end = self
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe end.withState { state in
      unsafe digest.withOctets { digest, count in
        _ = unsafe crypto_generichash_final(state, digest, count)
      }
    }
    return digest
  }

  /// Works on an aligned copy of the state: an array stands wherever it happens to.
  private mutating func withState(_ body: (OpaquePointer) -> Void) {
    let count = state.count
    unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: Self.alignment) { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe state.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
      unsafe body(OpaquePointer(base))
      unsafe state.withUnsafeMutableBytes {
        unsafe $0.copyMemory(from: UnsafeRawBufferPointer(buffer))
      }
    }
  }
}
