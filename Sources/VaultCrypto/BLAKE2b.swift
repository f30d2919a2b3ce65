import CSodium

/// The hash BLAKE2b-256 (RFC 7693) of public octets.
public enum BLAKE2b {
  /// Hashes octets.
  ///
  /// - Parameter bytes: what to hash; not a secret.
  /// - Returns: 32 octets.
  public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe digest.withOctets { digest, digestCount in
      unsafe bytes.withOctets { bytes, count in
        _ = unsafe crypto_generichash(digest, digestCount, bytes, UInt64(count), nil, 0)
      }
    }
    return digest
  }
}
