public import WireCoding

/// A pass as it is handed to the vault.
public struct PassContent: VaultParams, Hashable {
  enum Member: String, MemberName {
    case accessDocument = "access_document", readerGroups = "reader_groups"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .accessDocument: .required(.base64(1...VaultLimits.accessDocumentOctets))
    case .readerGroups:
      .required(.array(.object(ReaderGroup.table.fields), 1...VaultLimits.readerGroups))
    }
  }

  /// The signed access document, as CBOR.
  public var accessDocument: [UInt8]
  /// The reader groups the pass is for.
  public var readerGroups: [ReaderGroup]

  /// Makes the pass.
  ///
  /// - Parameters:
  ///   - accessDocument: the signed access document, as CBOR.
  ///   - readerGroups: the reader groups the pass is for.
  public init(accessDocument: [UInt8], readerGroups: [ReaderGroup]) {
    self.accessDocument = accessDocument
    self.readerGroups = readerGroups
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var accessDocument: [UInt8]?
    var readerGroups: [ReaderGroup]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .accessDocument: accessDocument = try object.base64(&reader)
      case .readerGroups: readerGroups = try object.array(&reader, ReaderGroup.init(from:))
      }
    }
    self.accessDocument = try object.required(accessDocument, .accessDocument)
    self.readerGroups = try object.required(readerGroups, .readerGroups)
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
    writer.endObject()
  }
}
