public import WireCoding

/// Builds answer lines, each with its line feed.
public enum ResponseLine {
  /// Builds the answer to a call that succeeded.
  ///
  /// - Parameters:
  ///   - id: the request's `id`.
  ///   - result: what the method returns.
  /// - Returns: the line.
  public static func success(id: RequestID, _ result: some VaultResult) -> [UInt8] {
    var writer = JSONWriter()
    begin(&writer, id)
    writer.name("result")
    result.encode(into: &writer)
    end(&writer)
    return writer.bytes
  }

  /// Builds the answer to a call that succeeded and returns secrets, in guarded memory.
  ///
  /// - Parameters:
  ///   - id: the request's `id`.
  ///   - result: what the method returns.
  /// - Returns: the line.
  /// - Throws: ``WireCodingError/secretMemory(_:)``.
  public static func success(
    id: RequestID, secret result: some SecretResult
  ) throws(WireCodingError) -> SecretLine {
    var length = LineLength()
    write(id, result, into: &length)
    var writer = try SecretJSONWriter(capacity: length.count)
    write(id, result, into: &writer)
    return try writer.finish()
  }

  /// Builds the answer to a call that failed.
  ///
  /// - Parameters:
  ///   - id: the request's `id`, `nil` when it could not be read.
  ///   - error: what went wrong.
  /// - Returns: the line.
  public static func failure(id: RequestID?, _ error: RPCError) -> [UInt8] {
    var writer = JSONWriter()
    begin(&writer, id)
    writer.name("error")
    error.encode(into: &writer)
    end(&writer)
    return writer.bytes
  }

  private static func write<Writer: JSONWriting & ~Copyable>(
    _ id: RequestID, _ result: some SecretResult, into writer: inout Writer
  ) {
    begin(&writer, id)
    writer.name("result")
    result.encode(into: &writer)
    end(&writer)
  }

  private static func begin<Writer: JSONWriting & ~Copyable>(
    _ writer: inout Writer, _ id: RequestID?
  ) {
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    if let id { id.encode(into: &writer) } else { writer.null() }
  }

  private static func end<Writer: JSONWriting & ~Copyable>(_ writer: inout Writer) {
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
  }
}
