public import WireCoding

/// The answer to `biqli.capture`.
public struct BiqliCaptureResult: VaultResult, Hashable {
  /// Whether another one gave way.
  public var replaced: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - replaced: whether another one gave way.
  ///   - seq: the audit number of the call.
  public init(replaced: Bool, seq: Int64) {
    self.replaced = replaced
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("replaced")
    writer.boolean(replaced)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
