/// The hash SHA-1 (FIPS 180-4), only where a format names a key by it.
///
/// The Aliro key slot and X.509 key identifiers do; neither leans on collision resistance.
public enum SHA1 {
  /// Hashes octets.
  ///
  /// - Parameter bytes: what to hash; not a secret.
  /// - Returns: 20 octets.
  public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    OpenSSLDigest.sha1.hash(bytes)
  }
}
