public import WireCoding

/// Builds request lines, each with its line feed.
public enum RequestLine {
  /// Builds the line of a call without secrets.
  ///
  /// - Parameter envelope: the call; one that holds a secret goes through
  ///   ``encodeSecret(_:capacity:)``.
  /// - Returns: the line; `nil` when the method takes a secret, which must not get into an array.
  public static func encode(_ envelope: RequestEnvelope) -> [UInt8]? {
    guard !envelope.request.method.takesSecret else { return nil }
    var writer = JSONWriter()
    write(envelope, into: &writer)
    return writer.bytes
  }

  /// Builds the line of a call in guarded memory.
  ///
  /// - Parameters:
  ///   - envelope: the call.
  ///   - capacity: the most octets of the line, its line feed included.
  /// - Returns: the line.
  /// - Throws: ``WireCodingError/bufferFull(capacity:)`` or ``WireCodingError/secretMemory(_:)``.
  public static func encodeSecret(
    _ envelope: RequestEnvelope, capacity: Int = VaultLimits.requestOctets + 1
  ) throws(WireCodingError) -> SecretLine {
    var length = LineLength()
    write(envelope, into: &length)
    guard length.count <= capacity else { throw .bufferFull(capacity: capacity) }
    var writer = try SecretJSONWriter(capacity: length.count)
    write(envelope, into: &writer)
    return try writer.finish()
  }

  private static func write<Writer: JSONWriting & ~Copyable>(
    _ envelope: RequestEnvelope, into writer: inout Writer
  ) {
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    envelope.id.encode(into: &writer)
    writer.name("method")
    writer.string(envelope.request.method.name)
    writer.name("params")
    envelope.request.encodeParams(into: &writer)
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
  }
}
