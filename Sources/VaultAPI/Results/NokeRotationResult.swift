public import WireCoding

/// The answer to `noke.promote` and `noke.demote`: the numbers of the pairs.
public struct NokeRotationResult: VaultResult, Hashable {
  /// The active one.
  public var active: Int64
  /// The pending one.
  public var pending: Int64?
  /// The former ones, the last one first.
  public var former: [Int64]
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - active: the active one.
  ///   - pending: the pending one.
  ///   - former: the former ones, the last one first.
  ///   - seq: the audit number of the call.
  public init(active: Int64, pending: Int64? = nil, former: [Int64], seq: Int64) {
    self.active = active
    self.pending = pending
    self.former = former
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("active")
    writer.integer(active)
    writer.optional("pending", pending)
    writer.name("former")
    writer.beginArray()
    for number in former { writer.integer(number) }
    writer.endArray()
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
