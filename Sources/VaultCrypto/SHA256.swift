/// The hash SHA-256 (FIPS 180-4) of public octets.
public enum SHA256 {
  /// Hashes octets.
  ///
  /// - Parameter bytes: what to hash; not a secret.
  /// - Returns: 32 octets.
  public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    OpenSSLDigest.sha256.hash(bytes)
  }
}
