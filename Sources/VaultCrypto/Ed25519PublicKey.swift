import CSodium

/// A key that signatures of Ed25519 (RFC 8032) are checked with.
///
/// Octets that are no point, or one of small order, make a key that no signature is valid for.
public struct Ed25519PublicKey: Hashable, Sendable {
  /// The encoded point, 32 octets.
  public let octets: [UInt8]

  /// Takes an encoded point.
  ///
  /// - Parameter octets: 32 octets.
  /// - Throws: ``VaultCryptoError/invalidKey`` for another length.
  public init(_ octets: [UInt8]) throws(VaultCryptoError) {
    guard octets.count == 32 else { throw .invalidKey }
    self.octets = octets
  }

  /// Takes a point that the library has just computed.
  init(computed octets: [UInt8]) {
    self.octets = octets
  }

  /// Tells whether this key made a signature over a message.
  ///
  /// Only the canonical form is accepted, so that nobody makes a second signature out of one.
  ///
  /// - Parameters:
  ///   - signature: 64 octets; no other length is valid.
  ///   - message: the message itself, of any length.
  /// - Returns: whether it verifies.
  public func isValidSignature(_ signature: Span<UInt8>, message: Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    return unsafe octets.span.withOctets { key, _ in
      unsafe signature.withOctets { signature, _ in
        unsafe message.withOctets { message, count in
          unsafe crypto_sign_ed25519_verify_detached(signature, message, UInt64(count), key) == 0
        }
      }
    }
  }
}
