public import WireCoding

/// The answer to `presentation.sign`.
public struct PresentationSignResult: VaultResult, Hashable {
  /// The signature over the transcript of the device, raw.
  public var signature: [UInt8]
  /// The version of the key that made it.
  public var keyVersion: Int64
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - signature: the signature over the transcript of the device, raw.
  ///   - keyVersion: the version of the key that made it.
  ///   - seq: the audit number of the call.
  public init(signature: [UInt8], keyVersion: Int64, seq: Int64) {
    self.signature = signature
    self.keyVersion = keyVersion
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
    writer.string(SignatureFormat.raw.rawValue)
    writer.name("key_version")
    writer.integer(keyVersion)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
