public import WireCoding

/// The answer to `namespace.configure`.
public struct NamespaceConfigureResult: VaultResult, Hashable {
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameter seq: the audit number of the call.
  public init(seq: Int64) {
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
