public import SecureMemory

/// The message authentication code HMAC-SHA256 (RFC 2104).
public enum HMACSHA256 {
  /// Computes the code of a message.
  ///
  /// - Parameters:
  ///   - message: the message, of any length.
  ///   - key: the key, of any length.
  /// - Returns: 32 octets.
  /// - Throws: ``VaultCryptoError/memoryExhausted``.
  public static func code(
    for message: Span<UInt8>, key: borrowing SecretBytes
  ) throws(VaultCryptoError) -> [UInt8] {
    var state = try key.withBytes { key throws(VaultCryptoError) in try HMACState(key: key) }
    state.update(message)
    var code = [UInt8](repeating: 0, count: 32)
    var output = code.mutableSpan
    state.finish(into: &output)
    return code
  }
}
