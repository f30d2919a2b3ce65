public import WireCoding

/// The answer to `namespace.suspend` and to `namespace.resume`.
public struct NamespaceStateResult: VaultResult, Hashable {
  /// The sixteen octets that name the namespace for good.
  public var id: [UInt8]
  /// The state that the namespace is in now.
  public var state: NamespaceState
  /// Whether this call brought it there.
  public var changed: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - id: the sixteen octets that name the namespace for good.
  ///   - state: the state that the namespace is in now.
  ///   - changed: whether this call brought it there.
  ///   - seq: the audit number of the call.
  public init(id: [UInt8], state: NamespaceState, changed: Bool, seq: Int64) {
    self.id = id
    self.state = state
    self.changed = changed
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("id")
    writer.hex(id.span)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("changed")
    writer.boolean(changed)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
