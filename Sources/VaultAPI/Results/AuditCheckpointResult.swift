public import WireCoding

/// The answer to `audit.checkpoint`.
public struct AuditCheckpointResult: VaultResult, Hashable {
  /// The line of the checkpoint, as it stands in the log, without its line feed.
  public var checkpoint: String
  /// The public key that it is signed with, 32 octets.
  public var key: [UInt8]
  /// The audit number of the call, which the checkpoint covers.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - checkpoint: the line of the checkpoint, without its line feed.
  ///   - key: the public key that it is signed with, 32 octets.
  ///   - seq: the audit number of the call, which the checkpoint covers.
  public init(checkpoint: String, key: [UInt8], seq: Int64) {
    self.checkpoint = checkpoint
    self.key = key
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("checkpoint")
    writer.string(checkpoint)
    writer.name("key")
    writer.hex(key.span)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
