import WireCoding

/// A request line: whom to answer, and the call.
public struct RequestEnvelope: Sendable {
  /// What the answer carries.
  public let id: RequestID
  /// The call.
  public let request: VaultRequest

  /// Makes an envelope.
  ///
  /// - Parameters:
  ///   - id: what the answer carries.
  ///   - request: the call.
  public init(id: RequestID, request: VaultRequest) {
    self.id = id
    self.request = request
  }

  /// Reads one line.
  ///
  /// - Parameter line: the line without its line feed.
  /// - Returns: the request.
  /// - Throws: ``RequestRefusal`` with the answer to give.
  public static func decode(_ line: Span<UInt8>) throws(RequestRefusal) -> RequestEnvelope {
    var scan = EnvelopeScan()
    do throws(RPCError) {
      return try scan.run(line)
    } catch {
      throw RequestRefusal(id: scan.id, method: scan.method, error: error)
    }
  }
}
