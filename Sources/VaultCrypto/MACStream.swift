import CSodium
import SecureMemory

/// A keyed BLAKE2b-256 over a message that comes in pieces, its state in secret memory.
public struct MACStream: ~Copyable, Sendable {
  private var state: SecretBytes

  init(key: Span<UInt8>) throws(VaultCryptoError) {
    state = try SecretBytes.zeroed(crypto_generichash_statebytes())
    unsafe withState { state in
      unsafe key.withOctets { key, count in
        _ = unsafe crypto_generichash_init(state, key, count, 32)
      }
    }
    StackWipe.afterHash()
  }

  /// Adds a piece of the message.
  ///
  /// - Parameter bytes: the piece, of any length.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe withState { state in
      unsafe bytes.withOctets { bytes, count in
        _ = unsafe crypto_generichash_update(state, bytes, UInt64(count))
      }
    }
  }

  /// Ends the message.
  ///
  /// - Returns: the code, 32 octets.
  public consuming func finalize() -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    unsafe withState { state in
      unsafe code.withOctets { code, count in
        _ = unsafe crypto_generichash_final(state, code, count)
      }
    }
    StackWipe.afterHash()
    return code
  }

  private mutating func withState(_ body: (OpaquePointer) -> Void) {
    state.withMutableBytes { bytes in
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe body(OpaquePointer(base))
      }
    }
  }
}
