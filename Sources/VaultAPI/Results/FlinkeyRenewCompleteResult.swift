public import WireCoding

/// The answer to `flinkey.renew.complete`.
public struct FlinkeyRenewCompleteResult: VaultResult {
  /// Whether a token was stored.
  public var stored: Bool
  /// How the user stands now.
  public var standing: FlinkeyUserStanding
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - stored: whether a token was stored.
  ///   - standing: how the user stands now; a token in it is not told.
  ///   - seq: the audit number of the call.
  public init(stored: Bool, standing: FlinkeyUserStanding, seq: Int64) {
    self.stored = stored
    self.standing = standing
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("stored")
    writer.boolean(stored)
    standing.encodeMembers(into: &writer)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
