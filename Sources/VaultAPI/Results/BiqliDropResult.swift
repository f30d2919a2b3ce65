public import WireCoding

/// The answer to `biqli.drop`.
public struct BiqliDropResult: VaultResult, Hashable {
  /// Whether it was the pending one.
  public var dropped: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - dropped: whether it was the pending one.
  ///   - seq: the audit number of the call.
  public init(dropped: Bool, seq: Int64) {
    self.dropped = dropped
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("dropped")
    writer.boolean(dropped)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
