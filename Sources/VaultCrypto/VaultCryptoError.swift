/// What can go wrong in a cryptographic operation.
///
/// No case carries secret octets, and a failed check never says which part of the input failed.
public enum VaultCryptoError: Error, Hashable, Sendable {
  /// Sealed octets do not open: wrong key, wrong associated data, or changed octets.
  case authenticationFailed
  /// Octets are not an uncompressed point of the P-256 curve other than infinity.
  case invalidPoint
  /// Octets are not a signature in canonical form with both numbers in range.
  case invalidSignatureEncoding
  /// Key octets have the wrong length, or a scalar is zero or not below the group order.
  case invalidKey
  /// Octets are not one acceptable X.509 certificate with a P-256 key.
  case invalidCertificate
  /// A length, count or cost is outside its bounds.
  case invalidParameters
  /// No locked memory is left, in the arena of secrets or in OpenSSL's secure heap.
  ///
  /// The caller may drop cached secrets and keys and try again, or answer `busy`.
  case memoryExhausted
  /// OpenSSL's secure heap was not started; private keys are refused rather than kept elsewhere.
  case secureHeapNotStarted
  /// A library call failed for no reason that input explains.
  case libraryFailure(Operation)

  /// The library call that failed.
  public enum Operation: Hashable, Sendable {
    /// Preparing OpenSSL: it had already been used before the wiping heap could be installed.
    case start
    /// Fetching or running a hash.
    case hash
    /// Setting up the curve.
    case curve
    /// Making a random key.
    case generate
    /// Importing a key.
    case importKey
    /// Reading a key's scalar.
    case exportKey
    /// Signing.
    case sign
    /// Key agreement.
    case agree
    /// Encrypting, or running a block cipher in either direction.
    case encrypt
    /// Deriving a key.
    case derive
    /// Making or writing a certificate.
    case encode
  }
}
