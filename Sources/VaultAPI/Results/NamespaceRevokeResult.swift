public import WireCoding

/// The answer to `namespace.revoke`: the namespace has ended, or all at and below a name have.
public struct NamespaceRevokeResult: VaultResult, Hashable {
  /// The sixteen octets that name the namespace for good; `nil` when a prefix was revoked.
  public var id: [UInt8]?
  /// How many namespaces have ended by this call.
  public var count: Int64
  /// The audit number of the call.
  public var seq: Int64
  /// Whether the traces of the keys are gone from the files.
  public var erasure: ErasureState

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - id: the sixteen octets that name the namespace for good; `nil` when a prefix was revoked.
  ///   - count: how many namespaces have ended by this call.
  ///   - seq: the audit number of the call.
  ///   - erasure: whether the traces of the keys are gone from the files.
  public init(id: [UInt8]?, count: Int64 = 1, seq: Int64, erasure: ErasureState) {
    self.id = id
    self.count = count
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
    if let id {
      writer.name("id")
      writer.hex(id.span)
    }
    writer.name("count")
    writer.integer(count)
    writer.name("seq")
    writer.integer(seq)
    writer.name("erasure")
    writer.string(erasure.rawValue)
    writer.endObject()
  }
}
