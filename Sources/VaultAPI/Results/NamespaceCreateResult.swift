public import WireCoding

/// The answer to `namespace.create`.
public struct NamespaceCreateResult: VaultResult, Hashable {
  /// The namespace.
  public var namespace: NamespaceName
  /// The sixteen octets that name the namespace for good.
  public var id: [UInt8]
  /// Whether this call made it.
  public var created: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - id: the sixteen octets that name the namespace for good.
  ///   - created: whether this call made it.
  ///   - seq: the audit number of the call.
  public init(namespace: NamespaceName, id: [UInt8], created: Bool, seq: Int64) {
    self.namespace = namespace
    self.id = id
    self.created = created
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("id")
    writer.hex(id.span)
    writer.name("created")
    writer.boolean(created)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
