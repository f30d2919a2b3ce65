public import WireCoding

/// The answer to `pass.delete`.
public struct PassDeleteResult: VaultResult, Hashable {
  /// Whether there was anything to erase.
  public var deleted: Bool
  /// Whether a key was erased.
  public var key: Bool
  /// Whether a pass was erased.
  public var pass: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - deleted: whether there was anything to erase.
  ///   - key: whether a key was erased.
  ///   - pass: whether a pass was erased.
  ///   - seq: the audit number of the call.
  public init(deleted: Bool, key: Bool, pass: Bool, seq: Int64) {
    self.deleted = deleted
    self.key = key
    self.pass = pass
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("deleted")
    writer.boolean(deleted)
    writer.name("key")
    writer.boolean(key)
    writer.name("pass")
    writer.boolean(pass)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
