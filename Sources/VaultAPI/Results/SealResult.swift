public import WireCoding

/// The answer to `seal`.
public struct SealResult: VaultResult, Hashable {
  /// Whether the vault is sealed.
  public var state: SealState
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - state: whether the vault is sealed.
  ///   - seq: the audit number of the call.
  public init(state: SealState, seq: Int64) {
    self.state = state
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
