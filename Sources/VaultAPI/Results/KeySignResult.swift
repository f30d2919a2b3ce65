public import WireCoding

/// The answer to `key.sign`.
public struct KeySignResult: VaultResult, Hashable {
  /// The signature.
  public var signature: [UInt8]
  /// How it is written.
  public var format: SignatureFormat
  /// The version of the key that made it.
  public var version: Int64
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - signature: the signature.
  ///   - format: how it is written.
  ///   - version: the version of the key that made it.
  ///   - seq: the audit number of the call.
  public init(signature: [UInt8], format: SignatureFormat, version: Int64, seq: Int64) {
    self.signature = signature
    self.format = format
    self.version = version
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("signature")
    writer.base64(signature)
    writer.name("format")
    writer.string(format.rawValue)
    writer.name("version")
    writer.integer(version)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
