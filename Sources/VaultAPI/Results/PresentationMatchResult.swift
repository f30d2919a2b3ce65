public import WireCoding

/// The answer to `presentation.match`.
public struct PresentationMatchResult: VaultResult, Hashable {
  /// Whether the reader offers a connection that the vault can use.
  public var connectable: Bool
  /// The passes the reader may be for.
  public var matches: [PresentationMatch]
  /// Whether there may be more than are listed.
  public var more: Bool

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - connectable: whether the reader offers a connection that the vault can use.
  ///   - matches: the passes the reader may be for.
  ///   - more: whether there may be more than are listed.
  public init(connectable: Bool, matches: [PresentationMatch], more: Bool) {
    self.connectable = connectable
    self.matches = matches
    self.more = more
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("connectable")
    writer.boolean(connectable)
    writer.name("matches")
    writer.beginArray()
    for element in matches { element.encode(into: &writer) }
    writer.endArray()
    writer.name("more")
    writer.boolean(more)
    writer.endObject()
  }
}
