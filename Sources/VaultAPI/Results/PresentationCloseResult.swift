public import WireCoding

/// The answer to `presentation.close`.
public struct PresentationCloseResult: VaultResult, Hashable {
  /// Where the session stands.
  public var state: PresentationState
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - state: where the session stands.
  ///   - seq: the audit number of the call.
  public init(state: PresentationState, seq: Int64) {
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
