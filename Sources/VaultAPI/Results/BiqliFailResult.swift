public import WireCoding

/// The answer to `biqli.fail`.
public struct BiqliFailResult: VaultResult, Hashable {
  /// Whether the event is not the pending one, or is settled, or stays to be sent again.
  public var outcome: BiqliFailureOutcome
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - outcome: whether the event is not the pending one, or is settled, or stays to be sent
  ///     again.
  ///   - seq: the audit number of the call.
  public init(outcome: BiqliFailureOutcome, seq: Int64) {
    self.outcome = outcome
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("outcome")
    writer.string(outcome.rawValue)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
