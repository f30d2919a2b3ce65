public import WireCoding

/// The answer to `key.list`.
public struct KeyListResult: VaultResult, Hashable {
  /// The keys by purpose and version.
  public var keys: [KeyEntry]

  /// Makes the result.
  ///
  /// - Parameter keys: the keys by purpose and version.
  public init(keys: [KeyEntry]) {
    self.keys = keys
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("keys")
    writer.beginArray()
    for element in keys { element.encode(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}
