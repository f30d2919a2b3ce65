public import WireCoding

/// The answer to `namespace.list`.
public struct NamespaceListResult: VaultResult, Hashable {
  /// The page, in the order of the names.
  public var namespaces: [NamespaceEntry]
  /// What to give as `after` for the page that follows, if there is one.
  public var next: NamespaceName?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespaces: the page, in the order of the names.
  ///   - next: what to give as `after` for the page that follows, if there is one.
  public init(namespaces: [NamespaceEntry], next: NamespaceName? = nil) {
    self.namespaces = namespaces
    self.next = next
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("namespaces")
    writer.beginArray()
    for element in namespaces { element.encode(into: &writer) }
    writer.endArray()
    if let next {
      writer.name("next")
      writer.string(next.rawValue)
    }
    writer.endObject()
  }
}
