public import WireCoding

/// The answer to `slot.add`.
public struct SlotAddResult: VaultResult, Hashable {
  /// The number of the new slot.
  public var slot: Int64
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - slot: the number of the new slot.
  ///   - seq: the audit number of the call.
  public init(slot: Int64, seq: Int64) {
    self.slot = slot
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("slot")
    writer.integer(slot)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
