public import WireCoding

/// The answer to `pass.store`.
public struct PassStoreResult: VaultResult, Hashable {
  /// Whether an older pass gave way.
  public var replaced: Bool
  /// The SHA-256 digest of the access document.
  public var digest: [UInt8]
  /// When the issuer signed it.
  public var signed: Timestamp
  /// The first second it is valid.
  public var validFrom: Timestamp
  /// The last second it is valid.
  public var validUntil: Timestamp
  /// The identifiers of its reader groups.
  public var readerGroups: [[UInt8]]
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - replaced: whether an older pass gave way.
  ///   - digest: the SHA-256 digest of the access document.
  ///   - signed: when the issuer signed it.
  ///   - validFrom: the first second it is valid.
  ///   - validUntil: the last second it is valid.
  ///   - readerGroups: the identifiers of its reader groups.
  ///   - seq: the audit number of the call.
  public init(
    replaced: Bool, digest: [UInt8], signed: Timestamp, validFrom: Timestamp,
    validUntil: Timestamp, readerGroups: [[UInt8]], seq: Int64
  ) {
    self.replaced = replaced
    self.digest = digest
    self.signed = signed
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.readerGroups = readerGroups
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("replaced")
    writer.boolean(replaced)
    writer.name("digest")
    writer.base64(digest)
    writer.name("signed")
    writer.timestamp(signed)
    writer.name("valid_from")
    writer.timestamp(validFrom)
    writer.name("valid_until")
    writer.timestamp(validUntil)
    writer.name("reader_groups")
    writer.beginArray()
    for octets in readerGroups { writer.base64(octets) }
    writer.endArray()
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
