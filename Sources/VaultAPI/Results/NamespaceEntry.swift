public import WireCoding

/// One namespace of `namespace.list`.
public struct NamespaceEntry: VaultResult, Hashable {
  /// The namespace.
  public var namespace: NamespaceName
  /// The sixteen octets that name the namespace for good.
  public var id: [UInt8]
  /// Its state.
  public var state: NamespaceState

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - id: the sixteen octets that name the namespace for good.
  ///   - state: its state.
  public init(namespace: NamespaceName, id: [UInt8], state: NamespaceState) {
    self.namespace = namespace
    self.id = id
    self.state = state
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
    writer.name("state")
    writer.string(state.rawValue)
    writer.endObject()
  }
}
