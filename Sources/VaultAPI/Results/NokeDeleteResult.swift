public import WireCoding

/// The answer to `noke.delete`.
public struct NokeDeleteResult: VaultResult, Hashable {
  /// Whether there was anything to erase.
  public var deleted: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - deleted: whether there was anything to erase.
  ///   - seq: the audit number of the call.
  public init(deleted: Bool, seq: Int64) {
    self.deleted = deleted
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("deleted")
    writer.boolean(deleted)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
