public import WireCoding

/// The answer to `pass.info`.
public struct PassInfoResult: VaultResult, Hashable {
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
  /// Who issued its documents.
  public var issuer: PassIssuer
  /// What its access document allows, element by element.
  public var access: [AccessSummary]
  /// Its revocation document.
  public var revocation: RevocationSummary?
  /// Its mailbox.
  public var mailbox: PassMailbox?
  /// When it was stored.
  public var stored: Timestamp
  /// Whether it can be presented now.
  public var usable: Bool
  /// Why it cannot.
  public var reason: RPCErrorCode?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - digest: the SHA-256 digest of the access document.
  ///   - signed: when the issuer signed it.
  ///   - validFrom: the first second it is valid.
  ///   - validUntil: the last second it is valid.
  ///   - readerGroups: the identifiers of its reader groups.
  ///   - issuer: who issued its documents.
  ///   - access: what its access document allows, element by element.
  ///   - revocation: its revocation document.
  ///   - mailbox: its mailbox.
  ///   - stored: when it was stored.
  ///   - usable: whether it can be presented now.
  ///   - reason: why it cannot.
  public init(
    digest: [UInt8], signed: Timestamp, validFrom: Timestamp, validUntil: Timestamp,
    readerGroups: [[UInt8]], issuer: PassIssuer, access: [AccessSummary],
    revocation: RevocationSummary? = nil, mailbox: PassMailbox? = nil, stored: Timestamp,
    usable: Bool, reason: RPCErrorCode? = nil
  ) {
    self.digest = digest
    self.signed = signed
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.readerGroups = readerGroups
    self.issuer = issuer
    self.access = access
    self.revocation = revocation
    self.mailbox = mailbox
    self.stored = stored
    self.usable = usable
    self.reason = reason
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
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
    writer.name("issuer")
    issuer.encode(into: &writer)
    writer.name("access")
    writer.beginArray()
    for element in access { element.encode(into: &writer) }
    writer.endArray()
    if let revocation {
      writer.name("revocation")
      revocation.encode(into: &writer)
    }
    if let mailbox {
      writer.name("mailbox")
      mailbox.encode(into: &writer)
    }
    writer.name("stored")
    writer.timestamp(stored)
    writer.name("usable")
    writer.boolean(usable)
    if let reason {
      writer.name("reason")
      writer.string(reason.name)
    }
    writer.endObject()
  }
}
