public import WireCoding

/// The answer to `hello`.
public struct HelloResult: VaultResult, Hashable {
  /// The version of the server.
  public var version: String
  /// The protocol version spoken on this connection.
  public var protocolVersion: Int64
  /// All the protocol versions the server speaks.
  public var protocols: [Int64]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - version: the version of the server.
  ///   - protocolVersion: the protocol version spoken on this connection.
  ///   - protocols: all the protocol versions the server speaks.
  public init(version: String, protocolVersion: Int64, protocols: [Int64]) {
    self.version = version
    self.protocolVersion = protocolVersion
    self.protocols = protocols
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("server")
    writer.string("latchkey")
    writer.name("version")
    writer.string(version)
    writer.name("protocol")
    writer.integer(protocolVersion)
    writer.name("protocols")
    writer.beginArray()
    for number in protocols { writer.integer(number) }
    writer.endArray()
    writer.endObject()
  }
}
