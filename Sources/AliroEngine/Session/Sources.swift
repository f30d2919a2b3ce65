public import VaultCrypto

/// The credential of a presentation: a key that signs device transcripts and nothing else.
public protocol CredentialSigner: Sendable {
  /// The credential's public key.
  var publicKey: P256PublicKey { get }

  /// Signs a transcript with the credential's key.
  ///
  /// - Parameter transcript: what to sign, made by the engine.
  /// - Returns: the signature.
  /// - Throws: ``AliroError/refused(_:)`` with the reason that the caller of the presentation gets.
  func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature
}

/// Where ephemeral keys come from; each is used for one transaction and then dropped.
public protocol EphemeralKeySource: Sendable {
  /// Makes a key that was never used before.
  ///
  /// - Returns: the key.
  /// - Throws: ``AliroError/refused(_:)``, with `busy` when locked memory ran out.
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey
}

/// Where random octets come from that are not secret.
public protocol RandomSource: Sendable {
  /// Makes random octets.
  ///
  /// - Parameter count: how many.
  /// - Returns: exactly that many.
  func randomBytes(_ count: Int) -> [UInt8]
}
