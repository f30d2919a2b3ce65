public import WireCoding

/// The answer to `flinkey.store`.
public struct FlinkeyStoreResult: VaultResult, Hashable {
  /// Whether something else gave way.
  public var replaced: Bool
  /// How many users' tokens went.
  public var dropped: Int64
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - replaced: whether something else gave way.
  ///   - dropped: how many users' tokens went.
  ///   - seq: the audit number of the call.
  public init(replaced: Bool, dropped: Int64, seq: Int64) {
    self.replaced = replaced
    self.dropped = dropped
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("replaced")
    writer.boolean(replaced)
    writer.name("dropped")
    writer.integer(dropped)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
