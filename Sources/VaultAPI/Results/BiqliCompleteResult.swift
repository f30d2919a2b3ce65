public import WireCoding

/// The answer to `biqli.complete`.
public struct BiqliCompleteResult: SecretResult {
  /// Whether the event is not the pending one and nothing has changed, or it was matched, or not.
  public var outcome: BiqliCompletionOutcome
  /// The attribution receipt of the answer, which no later answer has.
  public var receipt: SecretBox?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - outcome: whether the event is not the pending one and nothing has changed, or it was
  ///     matched, or not.
  ///   - receipt: the attribution receipt of the answer, which no later answer has.
  ///   - seq: the audit number of the call.
  public init(outcome: BiqliCompletionOutcome, receipt: SecretBox? = nil, seq: Int64) {
    self.outcome = outcome
    self.receipt = receipt
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("outcome")
    writer.string(outcome.rawValue)
    if let receipt {
      writer.name("receipt")
      writer.string(secret: receipt.bytes)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
