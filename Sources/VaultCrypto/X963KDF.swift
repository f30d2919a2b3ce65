import CSodium
public import SecureMemory

/// The key derivation of ANSI X9.63 (SEC 1, 3.6.1).
public enum X963KDF {
  /// Derives key octets with SHA-256: hash(secret ‖ counter ‖ shared info) for counters from 1.
  ///
  /// - Parameters:
  ///   - sharedSecret: the shared secret Z.
  ///   - sharedInfo: the context.
  ///   - count: how many octets to derive, 1 to 8160.
  /// - Returns: the derived octets.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another count, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public static func sha256(
    sharedSecret: borrowing SecretBytes, sharedInfo: Span<UInt8>, count: Int
  ) throws(VaultCryptoError) -> SecretBytes {
    guard (1...255 * 32).contains(count) else { throw .invalidParameters }
    var derived = try SecretBytes.zeroed(count)
    var block = try SecretBytes.zeroed(32)
    var state = try SecretBytes.zeroed(crypto_hash_sha256_statebytes())
    var offset = 0
    var counter: UInt8 = 0
    while offset < count {
      counter += 1
      unsafe withState(&state) { _ = unsafe crypto_hash_sha256_init($0) }
      sharedSecret.withBytes { update(&state, $0) }
      update(&state, [0, 0, 0, counter].span)
      update(&state, sharedInfo)
      unsafe withState(&state) { state in
        block.withMutableBytes { block in
          unsafe block.withOctets { block, _ in _ = unsafe crypto_hash_sha256_final(state, block) }
        }
      }
      derived.write(block, at: offset)
      offset += 32
    }
    StackWipe.afterHash()
    return derived
  }

  private static func update(_ state: inout SecretBytes, _ bytes: Span<UInt8>) {
    unsafe withState(&state) { state in
      unsafe bytes.withOctets { bytes, count in
        _ = unsafe crypto_hash_sha256_update(state, bytes, UInt64(count))
      }
    }
  }

  private static func withState(
    _ state: inout SecretBytes, _ body: (UnsafeMutablePointer<crypto_hash_sha256_state>) -> Void
  ) {
    state.withMutableBytes { bytes in
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe body(base.assumingMemoryBound(to: crypto_hash_sha256_state.self))
      }
    }
  }
}
