public import WireCoding

/// A pass as it is handed to the vault.
public struct PassContent: VaultParams {
  enum Member: String, MemberName {
    case accessDocument = "access_document", readerGroups = "reader_groups"
    case revocationDocument = "revocation_document"
    case credentialIssuerPublicKey = "credential_issuer_public_key", mailbox
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .accessDocument: .required(.base64(1...VaultLimits.accessDocumentOctets))
    case .readerGroups:
      .required(.array(.object(ReaderGroup.table.fields), 1...VaultLimits.readerGroups))
    case .revocationDocument: .optional(.base64(1...VaultLimits.accessDocumentOctets))
    case .credentialIssuerPublicKey: .optional(.base64(65...65))
    case .mailbox: .optional(.object(PassMailbox.table.fields))
    }
  }

  /// The signed access document, as CBOR.
  public var accessDocument: [UInt8]
  /// The reader groups the pass is for.
  public var readerGroups: [ReaderGroup]
  /// The signed revocation document that goes with it, as CBOR.
  public var revocationDocument: [UInt8]?
  /// The P-256 key that the documents must be signed with, as an uncompressed point.
  public var credentialIssuerPublicKey: [UInt8]?
  /// The mailbox to keep for readers.
  public var mailbox: PassMailbox?

  /// Makes the pass.
  ///
  /// - Parameters:
  ///   - accessDocument: the signed access document, as CBOR.
  ///   - readerGroups: the reader groups the pass is for.
  ///   - revocationDocument: the signed revocation document that goes with it, as CBOR.
  ///   - credentialIssuerPublicKey: the P-256 key that the documents must be signed with, as an
  ///     uncompressed point.
  ///   - mailbox: the mailbox to keep for readers.
  public init(
    accessDocument: [UInt8], readerGroups: [ReaderGroup], revocationDocument: [UInt8]? = nil,
    credentialIssuerPublicKey: [UInt8]? = nil, mailbox: PassMailbox? = nil
  ) {
    self.accessDocument = accessDocument
    self.readerGroups = readerGroups
    self.revocationDocument = revocationDocument
    self.credentialIssuerPublicKey = credentialIssuerPublicKey
    self.mailbox = mailbox
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var accessDocument: [UInt8]?
    var readerGroups: [ReaderGroup]?
    var revocationDocument: [UInt8]?
    var credentialIssuerPublicKey: [UInt8]?
    var mailbox: PassMailbox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .accessDocument: accessDocument = try object.base64(&reader)
      case .readerGroups: readerGroups = try object.array(&reader, ReaderGroup.init(from:))
      case .revocationDocument: revocationDocument = try object.base64(&reader)
      case .credentialIssuerPublicKey: credentialIssuerPublicKey = try object.base64(&reader)
      case .mailbox: mailbox = try object.nested(&reader, PassMailbox.init(from:))
      }
    }
    self.accessDocument = try object.required(accessDocument, .accessDocument)
    self.readerGroups = try object.required(readerGroups, .readerGroups)
    self.revocationDocument = revocationDocument
    self.credentialIssuerPublicKey = credentialIssuerPublicKey
    self.mailbox = mailbox
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("access_document")
    writer.base64(accessDocument)
    writer.name("reader_groups")
    writer.beginArray()
    for group in readerGroups { group.encode(into: &writer) }
    writer.endArray()
    if let revocationDocument {
      writer.name("revocation_document")
      writer.base64(revocationDocument)
    }
    if let credentialIssuerPublicKey {
      writer.name("credential_issuer_public_key")
      writer.base64(credentialIssuerPublicKey)
    }
    if let mailbox {
      writer.name("mailbox")
      mailbox.encode(into: &writer)
    }
    writer.endObject()
  }
}
