public import VaultCrypto
public import WireCoding

/// A signed access document of a credential issuer (section 13): who may do what, and when.
///
/// Making one checks the form and every digest. It does not say whether the issuer is a good one:
/// ``isSigned(by:)`` does, for an issuer that the caller trusts. What the document allows is enforced
/// by the reader; here it is only described.
public struct AccessDocument: Hashable, Sendable {
  /// The type of an access document, as opposed to a revocation document.
  package static let type = "aliro-a"

  /// The credential's public key.
  public let deviceKey: P256PublicKey

  /// The document as it came.
  let document: SignedDocument
  /// What each element of it says, in their order.
  let elements: [AccessElement]

  /// Decodes a document.
  ///
  /// - Parameter bytes: the document, at most 64 KiB.
  /// - Throws: ``DocumentFlaw``.
  public init(_ bytes: [UInt8]) throws(DocumentFlaw) {
    document = try SignedDocument(bytes)
    guard let key = document.object.deviceKey else { throw .field("mso.deviceKey") }
    deviceKey = key
    elements = AccessElement.all(in: document)
  }

  /// When the issuer signed it; AUTH1 reports this time.
  public var signed: Timestamp { document.object.signed }

  /// The first second of its validity.
  public var validFrom: Timestamp { document.object.validFrom }

  /// The last second of its validity.
  public var validUntil: Timestamp { document.object.validUntil }

  /// The issuer's key identifier in the signature's header, when there is one.
  public var issuerKeyIdentifier: [UInt8]? { document.envelope.keyIdentifier }

  /// What the document allows, in plain words, an entry for each element.
  public var summary: [AccessSummary] { elements.map(\.summary) }

  /// Tells whether an issuer signed the document.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: whether the signature verifies, and the key identifier, if any, is the issuer's.
  public func isSigned(by issuer: P256PublicKey) -> Bool {
    document.envelope.isSigned(by: issuer)
  }
}
