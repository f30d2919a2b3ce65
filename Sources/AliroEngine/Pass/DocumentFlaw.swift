/// What is wrong with an access or revocation document.
public enum DocumentFlaw: Error, Hashable, Sendable {
  /// It has no octets.
  case empty
  /// It has this many octets, more than 65,536.
  case tooLarge(Int)
  /// The octets at this offset of the document, or of a part encoded within it, are not CBOR in
  /// canonical form, or are nested too deep.
  case notCanonical(offset: Int)
  /// A field is missing or is not what it must be; the name is that of the data model.
  case field(String)
  /// The digest of an item in the document differs from the signed one, or there is none for it.
  case digest
  /// The credential's key in the document is not a point of P-256.
  case deviceKey
}
