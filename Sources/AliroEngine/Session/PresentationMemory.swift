public import SecureMemory
public import WireCoding

/// What a credential keeps between its transactions, asked for at the moment it is needed.
///
/// The engine writes nothing here: what is to be kept comes as a ``PresentationChange``.
public protocol PresentationMemory {
  /// Looks up Kpersistent (section 1).
  ///
  /// - Parameters:
  ///   - readerIdentifier: the whole identifier of the reader, 32 octets.
  ///   - time: the vault's time.
  /// - Returns: the key, 32 octets; `nil` when there is none, or none that may be used at that time.
  /// - Throws: when it cannot be told; the reader is then answered as if there were none.
  func persistentKey(
    of readerIdentifier: [UInt8], at time: Timestamp
  ) throws(AliroError) -> SecretBytes?

  /// Reads the mailbox as it stands now.
  ///
  /// - Returns: its octets, as many as the pass says; `nil` when there is none.
  /// - Throws: ``AliroError/refused(_:)`` when it cannot be read; AUTH0's fast form is then answered as
  ///   to a reader that is not known.
  func mailbox() throws(AliroError) -> [UInt8]?
}
