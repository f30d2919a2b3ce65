/// What the credential key signs in a presentation, and all it signs.
///
/// Only the engine makes one, from an exchange whose reader it has authenticated; its octets come
/// from parsed fields and from an ephemeral key of the vault, never from a caller.
public struct DeviceTranscript: Hashable, Sendable {
  /// The 126 octets to be signed with ECDSA and SHA-256.
  public let bytes: [UInt8]

  init(for reader: AuthenticatedReader<some SignedExchange>) {
    bytes = reader.exchange.fields.deviceTranscript
  }
}
