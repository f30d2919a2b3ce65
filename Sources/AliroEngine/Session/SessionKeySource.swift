public import SecureMemory
public import VaultCrypto

/// Where the vault's keys for one transaction come from.
public protocol SessionKeySource: Sendable {
  /// Makes an ephemeral key that was never used before.
  ///
  /// - Returns: the key.
  /// - Throws: ``AliroError/refused(_:)``, with `busy` when locked memory ran out.
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey

  /// Makes what stands in for a persistent key that the vault does not have (section 4), so that the
  /// answer to a reader that is not known is made as the answer to one that is, and nobody has the
  /// keys of the channels that follow.
  ///
  /// - Returns: 32 random octets.
  /// - Throws: ``AliroError/refused(_:)``, with `busy` when locked memory ran out.
  func makeDecoyKey() throws(AliroError) -> SecretBytes
}
