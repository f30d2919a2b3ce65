public import WireCoding

/// The answer to `namespace.revoke`: the namespace has ended.
public struct NamespaceRevokeResult: VaultResult, Hashable {
  /// The sixteen octets that name the namespace for good.
  public var id: [UInt8]
  /// The audit number of the call.
  public var seq: Int64
  /// Whether the traces of its key are gone from the files.
  public var erasure: ErasureState

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - id: the sixteen octets that name the namespace for good.
  ///   - seq: the audit number of the call.
  ///   - erasure: whether the traces of its key are gone from the files.
  public init(id: [UInt8], seq: Int64, erasure: ErasureState) {
    self.id = id
    self.seq = seq
    self.erasure = erasure
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revoked")
    writer.boolean(true)
    writer.name("id")
    writer.hex(id.span)
    writer.name("seq")
    writer.integer(seq)
    writer.name("erasure")
    writer.string(erasure.rawValue)
    writer.endObject()
  }
}
