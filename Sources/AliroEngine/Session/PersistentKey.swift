public import SecureMemory
public import WireCoding

/// A Kpersistent that AUTH1 has made, to be kept for the reader's next fast transaction.
public final class PersistentKey: Sendable {
  /// The whole identifier of the reader, 32 octets.
  public let readerIdentifier: [UInt8]
  /// The key, 32 octets.
  public let key: SecretBytes
  /// The last second of the reader's certificate; `nil` when it showed none.
  ///
  /// The key must not outlive it.
  public let validUntil: Timestamp?

  package init(
    readerIdentifier: [UInt8], key: consuming SecretBytes, validUntil: Timestamp?
  ) {
    self.readerIdentifier = readerIdentifier
    self.key = key
    self.validUntil = validUntil
  }
}
