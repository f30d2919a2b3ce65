public import WireCoding

/// The answer to `biqli.instance`.
public struct BiqliInstanceResult: VaultResult, Hashable {
  /// The name, which goes into requests as the app instance.
  public var instanceID: String
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - instanceID: the name, which goes into requests as the app instance.
  ///   - seq: the audit number of the call.
  public init(instanceID: String, seq: Int64) {
    self.instanceID = instanceID
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("instance_id")
    writer.string(instanceID)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
