import CSodium
import SecureMemory

/// HMAC-SHA256 in progress, its state in secret memory.
struct HMACState: ~Copyable {
  private var state: SecretBytes

  /// Starts with a key of any length.
  init(key: Span<UInt8>) throws(VaultCryptoError) {
    state = try SecretBytes.zeroed(crypto_auth_hmacsha256_statebytes())
    unsafe withState { state in
      unsafe key.withOctets { key, count in
        _ = unsafe crypto_auth_hmacsha256_init(state, key, count)
      }
    }
  }

  private init(state: consuming SecretBytes) {
    self.state = state
  }

  /// A second computation that goes on from here.
  borrowing func fork() throws(VaultCryptoError) -> HMACState {
    HMACState(state: try SecretBytes.copy(of: state))
  }

  /// Adds octets of the message.
  mutating func update(_ bytes: Span<UInt8>) {
    unsafe withState { state in
      unsafe bytes.withOctets { bytes, count in
        _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
      }
    }
  }

  /// Writes the code to the 32 octets of a view; the state is wiped and must not be used again.
  mutating func finish(into code: inout MutableSpan<UInt8>) {
    assert(code.count == 32)
    unsafe withState { state in
      unsafe code.withOctets { code, _ in _ = unsafe crypto_auth_hmacsha256_final(state, code) }
    }
    StackWipe.afterHash()
  }

  private mutating func withState(
    _ body: (UnsafeMutablePointer<crypto_auth_hmacsha256_state>) -> Void
  ) {
    state.withMutableBytes { bytes in
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe body(base.assumingMemoryBound(to: crypto_auth_hmacsha256_state.self))
      }
    }
  }
}
