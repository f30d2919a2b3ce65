public import WireCoding

/// The answer to `key.public`.
public struct KeyPublicResult: VaultResult, Hashable {
  /// The namespace.
  public var namespace: NamespaceName
  /// What the key is for.
  public var purpose: PublicKeyPurpose
  /// Its version, from 1.
  public var version: Int64
  /// Whether this call made it.
  public var created: Bool
  /// The 65 octets of the uncompressed point.
  public var point: [UInt8]
  /// The DER of its SubjectPublicKeyInfo.
  public var spki: [UInt8]
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - purpose: what the key is for.
  ///   - version: its version, from 1.
  ///   - created: whether this call made it.
  ///   - point: the 65 octets of the uncompressed point.
  ///   - spki: the DER of its SubjectPublicKeyInfo.
  ///   - seq: the audit number of the call.
  public init(
    namespace: NamespaceName, purpose: PublicKeyPurpose, version: Int64, created: Bool,
    point: [UInt8], spki: [UInt8], seq: Int64
  ) {
    self.namespace = namespace
    self.purpose = purpose
    self.version = version
    self.created = created
    self.point = point
    self.spki = spki
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("purpose")
    writer.string(purpose.rawValue)
    writer.name("version")
    writer.integer(version)
    writer.name("created")
    writer.boolean(created)
    writer.name("point")
    writer.base64(point)
    writer.name("spki")
    writer.base64(spki)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
