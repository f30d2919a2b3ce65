import CSodium

/// Random octets that are not secret (identifiers, nonces, salts).
public enum SecureRandom {
  /// Returns octets from the kernel's generator.
  ///
  /// - Parameter count: how many; none when it is not positive.
  /// - Returns: the octets.
  public static func bytes(_ count: Int) -> [UInt8] {
    // libsodium opens its source of randomness once, and not safely from several threads at once.
    _ = SecretArena.isReady
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      unsafe randombytes_buf(base, count)
      filled = count
    }
  }
}
