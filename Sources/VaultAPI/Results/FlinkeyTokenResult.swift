public import WireCoding

/// The answer to `flinkey.token`.
public struct FlinkeyTokenResult: SecretResult {
  /// How the user stands.
  public var standing: FlinkeyUserStanding
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - standing: how the user stands.
  ///   - seq: the audit number of the call.
  public init(standing: FlinkeyUserStanding, seq: Int64) {
    self.standing = standing
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: guarded memory, or what counts the octets for it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    standing.encodeMembers(into: &writer)
    if let token = standing.token {
      writer.name("token")
      writer.string(secret: token.bytes)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
