package import VaultCrypto

/// What can go wrong when a packet, a pair or a grant is made.
///
/// No case carries octets of the input, of which some are secret.
package enum NokeError: Error, Hashable, Sendable {
  /// A parameter, named as on the wire, is not what is due, in words such as
  /// `32 hexadecimal digits`.
  case parameter(String, due: String)
  /// The stored form of a pair or a grant is damaged.
  case damaged
  /// No locked memory is left, or a library failed.
  case crypto(VaultCryptoError)
}
