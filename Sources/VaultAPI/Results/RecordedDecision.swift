public import WireCoding

/// What the audit line of an explained call says of how it ended.
public struct RecordedDecision: VaultResult, Hashable {
  /// The number of the line.
  public var seq: Int64
  /// When it was written.
  public var time: Timestamp
  /// The class of the refusal, `nil` when the call succeeded.
  public var code: RPCErrorCode?
  /// Why it was denied, when it was.
  public var reason: String?
  /// The revision of the policy that it was judged by.
  public var revision: Int64?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - seq: the number of the line.
  ///   - time: when it was written.
  ///   - code: the class of the refusal, `nil` when the call succeeded.
  ///   - reason: why it was denied, when it was.
  ///   - revision: the revision of the policy that it was judged by.
  public init(
    seq: Int64, time: Timestamp, code: RPCErrorCode? = nil, reason: String? = nil,
    revision: Int64? = nil
  ) {
    self.seq = seq
    self.time = time
    self.code = code
    self.reason = reason
    self.revision = revision
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("seq")
    writer.integer(seq)
    writer.name("time")
    writer.timestamp(time)
    writer.optional("code", code?.name)
    writer.optional("reason", reason)
    writer.optional("revision", revision)
    writer.endObject()
  }
}
