public import WireCoding

/// The answer to `audit.archive`.
public struct AuditArchiveResult: VaultResult, Hashable {
  /// How many segments were removed.
  public var removed: Int64
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - removed: how many segments were removed.
  ///   - seq: the audit number of the call.
  public init(removed: Int64, seq: Int64) {
    self.removed = removed
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("removed")
    writer.integer(removed)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
