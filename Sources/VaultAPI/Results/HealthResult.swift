public import WireCoding

/// The answer to `health`: the process serves, sealed or not.
public struct HealthResult: VaultResult, Hashable {
  /// Whether it serves.
  public var ok: Bool

  /// Makes the result.
  ///
  /// - Parameter ok: whether it serves.
  public init(ok: Bool) {
    self.ok = ok
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("ok")
    writer.boolean(ok)
    writer.endObject()
  }
}
