public import VaultCrypto

/// Where ephemeral keys come from; each is used for one transaction and then dropped.
public protocol EphemeralKeySource: Sendable {
  /// Makes a key that was never used before.
  ///
  /// - Returns: the key.
  /// - Throws: ``AliroError/refused(_:)``, with `busy` when locked memory ran out.
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey
}
