public import VaultCrypto

/// What the vault knows of a group of readers, checked: its identifier and the key that its readers
/// sign with, or that certifies the keys they sign with.
public struct ReaderGroupTrust: Hashable, Sendable {
  /// The first half of the identifier of every reader in the group, 16 octets.
  public let groupIdentifier: [UInt8]
  /// The provisioned key of the group.
  public let key: P256PublicKey

  /// Only a validated pass makes one.
  init(groupIdentifier: [UInt8], key: P256PublicKey) {
    self.groupIdentifier = groupIdentifier
    self.key = key
  }
}
