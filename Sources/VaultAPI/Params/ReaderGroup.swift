public import WireCoding

/// A reader group of a pass: its name and who certifies its readers.
public struct ReaderGroup: VaultParams {
  enum Member: String, MemberName {
    case readerGroupId = "reader_group_id", issuerCaPublicKey = "issuer_ca_public_key",
      issuerCaCertificateDer = "issuer_ca_certificate_der",
      groupResolvingKey = "group_resolving_key"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .readerGroupId: .required(.base64(16...16))
    case .issuerCaPublicKey: .required(.base64(65...65))
    case .issuerCaCertificateDer: .required(.base64(1...VaultLimits.certificateOctets))
    case .groupResolvingKey: .optional(.secretBase64(VaultLimits.groupResolvingKeyOctets))
    }
  }

  /// The 16 octets that name the group.
  public var readerGroupId: [UInt8]
  /// The P-256 key of the issuer, as an uncompressed point.
  public var issuerCaPublicKey: [UInt8]
  /// The issuer's certificate for that key.
  public var issuerCaCertificateDer: [UInt8]
  /// The 16 octets that tell advertisements of the group's readers from others.
  public var groupResolvingKey: SecretBox?

  /// Makes the group.
  ///
  /// - Parameters:
  ///   - readerGroupId: the 16 octets that name the group.
  ///   - issuerCaPublicKey: the P-256 key of the issuer, as an uncompressed point.
  ///   - issuerCaCertificateDer: the issuer's certificate for that key.
  ///   - groupResolvingKey: the 16 octets that tell advertisements of the group's readers from
  ///     others.
  public init(
    readerGroupId: [UInt8], issuerCaPublicKey: [UInt8], issuerCaCertificateDer: [UInt8],
    groupResolvingKey: SecretBox? = nil
  ) {
    self.readerGroupId = readerGroupId
    self.issuerCaPublicKey = issuerCaPublicKey
    self.issuerCaCertificateDer = issuerCaCertificateDer
    self.groupResolvingKey = groupResolvingKey
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var readerGroupId: [UInt8]?
    var issuerCaPublicKey: [UInt8]?
    var issuerCaCertificateDer: [UInt8]?
    var groupResolvingKey: SecretBox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .readerGroupId: readerGroupId = try object.base64(&reader)
      case .issuerCaPublicKey: issuerCaPublicKey = try object.base64(&reader)
      case .issuerCaCertificateDer: issuerCaCertificateDer = try object.base64(&reader)
      case .groupResolvingKey: groupResolvingKey = try object.secretBase64(&reader)
      }
    }
    self.readerGroupId = try object.required(readerGroupId, .readerGroupId)
    self.issuerCaPublicKey = try object.required(issuerCaPublicKey, .issuerCaPublicKey)
    self.issuerCaCertificateDer = try object.required(
      issuerCaCertificateDer, .issuerCaCertificateDer)
    self.groupResolvingKey = groupResolvingKey
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("reader_group_id")
    writer.base64(readerGroupId)
    writer.name("issuer_ca_public_key")
    writer.base64(issuerCaPublicKey)
    writer.name("issuer_ca_certificate_der")
    writer.base64(issuerCaCertificateDer)
    if let groupResolvingKey {
      writer.name("group_resolving_key")
      writer.base64(secret: groupResolvingKey.bytes)
    }
    writer.endObject()
  }
}
