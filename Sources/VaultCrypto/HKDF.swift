public import SecureMemory

/// The key derivation HKDF (RFC 5869), extract and expand.
public enum HKDF {
  /// Derives key octets with SHA-256.
  ///
  /// - Parameters:
  ///   - inputKey: the input key material, of any length.
  ///   - salt: the salt; empty stands for 32 zero octets.
  ///   - info: the context.
  ///   - count: how many octets to derive, 1 to 8160.
  /// - Returns: the derived octets.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another count, or
  ///   ``VaultCryptoError/memoryExhausted``.
  public static func sha256(
    inputKey: borrowing SecretBytes, salt: Span<UInt8>, info: Span<UInt8>, count: Int
  ) throws(VaultCryptoError) -> SecretBytes {
    guard (1...255 * 32).contains(count) else { throw .invalidParameters }
    // Extract (2.2): the salt is the key, and an empty one equals zero octets by HMAC's padding.
    var extract = try HMACState(key: salt)
    inputKey.withBytes { extract.update($0) }
    var block = try SecretBytes.zeroed(32)
    block.withMutableBytes { extract.finish(into: &$0) }
    // Expand (2.3): every block starts from the same keyed state.
    let keyed = try block.withBytes { key throws(VaultCryptoError) in try HMACState(key: key) }
    var derived = try SecretBytes.zeroed(count)
    var offset = 0
    var counter: UInt8 = 0
    while offset < count {
      counter += 1
      var round = try keyed.fork()
      if counter > 1 { block.withBytes { round.update($0) } }
      round.update(info)
      round.update([counter].span)
      block.withMutableBytes { round.finish(into: &$0) }
      derived.write(block, at: offset)
      offset += 32
    }
    return derived
  }
}
