public import WireCoding

/// The state of the audit.
public struct AuditStatus: VaultResult, Hashable {
  /// Whether lines can be made durable.
  public var available: Bool
  /// The number of the newest line.
  public var seq: Int64
  /// How many lines the segments are behind the database.
  public var lag: Int64
  /// Why the segments cannot be written, in one word; `nil` when they can.
  public var segmentError: String?
  /// Why the newest checkpoint could not be kept at the anchor, in one word; `nil` when it could.
  public var anchorError: String?
  /// The last line that a checkpoint covers, `nil` before the first checkpoint of this run.
  public var checkpoint: Int64?
  /// The public key that checkpoints are checked with, 32 octets; `nil` while sealed.
  public var key: [UInt8]?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - available: whether lines can be made durable.
  ///   - seq: the number of the newest line.
  ///   - lag: how many lines the segments are behind the database.
  ///   - segmentError: why the segments cannot be written, in one word.
  ///   - anchorError: why the newest checkpoint could not be kept at the anchor, in one word.
  ///   - checkpoint: the last line that a checkpoint covers.
  ///   - key: the public key that checkpoints are checked with, 32 octets.
  public init(
    available: Bool, seq: Int64, lag: Int64 = 0, segmentError: String? = nil,
    anchorError: String? = nil, checkpoint: Int64? = nil, key: [UInt8]? = nil
  ) {
    self.available = available
    self.seq = seq
    self.lag = lag
    self.segmentError = segmentError
    self.anchorError = anchorError
    self.checkpoint = checkpoint
    self.key = key
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("available")
    writer.boolean(available)
    writer.name("seq")
    writer.integer(seq)
    writer.name("lag")
    writer.integer(lag)
    writer.optional("segment_error", segmentError)
    writer.optional("anchor_error", anchorError)
    writer.optional("checkpoint", checkpoint)
    if let key {
      writer.name("key")
      writer.hex(key.span)
    }
    writer.endObject()
  }
}
