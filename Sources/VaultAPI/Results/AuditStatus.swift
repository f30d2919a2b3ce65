public import WireCoding

/// The state of the audit.
public struct AuditStatus: VaultResult, Hashable {
  /// Whether lines can be written.
  public var available: Bool
  /// The number of the newest line.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - available: whether lines can be written.
  ///   - seq: the number of the newest line.
  public init(available: Bool, seq: Int64) {
    self.available = available
    self.seq = seq
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
    writer.endObject()
  }
}
