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
