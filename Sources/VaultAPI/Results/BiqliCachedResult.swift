public import WireCoding

/// The answer to `biqli.cached`.
public struct BiqliCachedResult: VaultResult, Hashable {
  /// The service's answer without its receipt, JSON; absent when a request is due, or there was no
  /// match.
  public var result: String?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - result: the service's answer without its receipt, JSON; absent when a request is due, or
  ///     there was no match.
  ///   - seq: the audit number of the call.
  public init(result: String? = nil, seq: Int64) {
    self.result = result
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.optional("result", result)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
