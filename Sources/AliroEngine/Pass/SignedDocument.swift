/// A document of a credential issuer (section 13), `{ "1": IssuerSigned, "5": docType }`: decoded, its
/// digests checked, and kept as it came.
///
/// Access and revocation documents are both of this form.
struct SignedDocument: Hashable, Sendable {
  /// An IssuerSignedItem, by where it stands in the document.
  struct Item: Hashable, Sendable {
    /// What the issuer calls the element.
    let element: String
    /// The whole encoding, tag included: what its digest covers and a reader gets.
    let encoding: Range<Int>
    /// The encoding of the element's value alone.
    let value: Range<Int>
  }

  /// The items of one namespace in their order.
  struct NameSpace: Hashable, Sendable {
    let name: String
    let items: [Item]
  }

  /// The document, octet for octet.
  let octets: [UInt8]
  let type: String
  let nameSpaces: [NameSpace]
  /// Where the encoded signature structure stands.
  let issuerAuth: Range<Int>
  let envelope: SignedEnvelope
  let object: MobileSecurityObject

  /// Decodes a document and checks its digests; its signature is not verified.
  ///
  /// - Parameter octets: the document, at most 64 KiB.
  /// - Throws: ``DocumentFlaw``.
  init(_ octets: [UInt8]) throws(DocumentFlaw) {
    guard !octets.isEmpty else { throw .empty }
    let root = try CBORDecoder.decode(octets)
    guard let type = root["5"]?.text else { throw .field("docType") }
    guard let issuerSigned = root["1"] else { throw .field("issuerSigned") }
    guard let issuerAuth = issuerSigned["2"] else { throw .field("issuerAuth") }
    envelope = try SignedEnvelope(issuerAuth)
    object = try MobileSecurityObject(envelope.payload)
    guard object.documentType == type else { throw .field("mso.docType") }
    nameSpaces = try object.checkedNameSpaces(issuerSigned["1"], in: octets)
    self.octets = octets
    self.type = type
    self.issuerAuth = issuerAuth.encoding
  }

  /// The value of an item of this document.
  func value(of item: Item) -> CBORItem? {
    // The value was decoded as a part of its item before, so that this cannot fail.
    try? CBORDecoder.decode(Array(octets[item.value]))
  }
}
