public import WireCoding

/// The revocation document of a pass in words.
public struct RevocationSummary: VaultResult, Hashable {
  /// When the issuer signed it.
  public var signed: Timestamp
  /// The first second it is valid.
  public var validFrom: Timestamp
  /// The last second it is valid.
  public var validUntil: Timestamp
  /// What a reader does with its list, if it says so.
  public var mode: RevocationMode?
  /// How many credentials it names.
  public var entries: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - signed: when the issuer signed it.
  ///   - validFrom: the first second it is valid.
  ///   - validUntil: the last second it is valid.
  ///   - mode: what a reader does with its list, if it says so.
  ///   - entries: how many credentials it names.
  public init(
    signed: Timestamp, validFrom: Timestamp, validUntil: Timestamp, mode: RevocationMode? = nil,
    entries: Int64
  ) {
    self.signed = signed
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.mode = mode
    self.entries = entries
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("signed")
    writer.timestamp(signed)
    writer.name("valid_from")
    writer.timestamp(validFrom)
    writer.name("valid_until")
    writer.timestamp(validUntil)
    writer.optional("mode", mode?.rawValue)
    writer.name("entries")
    writer.integer(entries)
    writer.endObject()
  }
}
