public import WireCoding

/// The answer to `flinkey.block`, `flinkey.unblock` and `flinkey.forget`.
public struct FlinkeyChangeResult: VaultResult, Hashable {
  /// Whether something is other than before.
  public var changed: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - changed: whether something is other than before.
  ///   - seq: the audit number of the call.
  public init(changed: Bool, seq: Int64) {
    self.changed = changed
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("changed")
    writer.boolean(changed)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
