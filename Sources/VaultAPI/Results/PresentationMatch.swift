public import WireCoding

/// One pass that an advertising reader may be for.
public struct PresentationMatch: VaultResult, Hashable {
  /// The namespace.
  public var namespace: NamespaceName
  /// The 16 octets that name the group.
  public var readerGroup: [UInt8]
  /// Whether the group's resolving key bears it out; without one only half of the name agrees.
  public var verified: Bool

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - readerGroup: the 16 octets that name the group.
  ///   - verified: whether the group's resolving key bears it out; without one only half of the name agrees.
  public init(namespace: NamespaceName, readerGroup: [UInt8], verified: Bool) {
    self.namespace = namespace
    self.readerGroup = readerGroup
    self.verified = verified
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("reader_group")
    writer.base64(readerGroup)
    writer.name("verified")
    writer.boolean(verified)
    writer.endObject()
  }
}
