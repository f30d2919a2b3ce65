public import VaultCrypto
public import WireCoding

/// A signed revocation document of a credential issuer (section 13): which credentials no longer count.
///
/// A device only carries it to readers. Making one checks the form and every digest;
/// ``isSigned(by:)`` judges the issuer.
public struct RevocationDocument: Hashable, Sendable {
  /// The type of a revocation document, as opposed to an access document.
  static let type = "aliro-r"

  /// What a reader is to do with the entries.
  public enum ChangeMode: String, Hashable, Sendable {
    /// They replace those it has.
    case overwrite
    /// They are added to those it has.
    case append
  }

  /// The document as it came.
  let document: SignedDocument

  /// What a reader is to do with the entries; `nil` when the document does not say, or its elements
  /// do not agree.
  public let mode: ChangeMode?
  /// How many credentials it revokes.
  public let entryCount: Int

  /// Decodes a document.
  ///
  /// - Parameter bytes: the document, at most 64 KiB.
  /// - Throws: ``DocumentFlaw``, also when it names a credential's key as access documents do.
  public init(_ bytes: [UInt8]) throws(DocumentFlaw) {
    let document = try SignedDocument(bytes)
    guard document.object.deviceKey == nil else { throw .field("mso.deviceKey") }
    // An element whose value is something else is the reader's business, and counts nothing here.
    let data = document.nameSpaces.flatMap(\.items).compactMap {
      document.value(of: $0).flatMap { RevocationData($0) }
    }
    mode = Set(data.map(\.mode)).count == 1 ? data.first?.mode : nil
    entryCount = data.reduce(0) { $0 + $1.entryCount }
    self.document = document
  }

  /// When the issuer signed it; AUTH1 reports this time.
  public var signed: Timestamp { document.object.signed }

  /// The first second of its validity.
  public var validFrom: Timestamp { document.object.validFrom }

  /// The last second of its validity.
  public var validUntil: Timestamp { document.object.validUntil }

  /// Tells whether an issuer signed the document.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: whether the signature verifies, and the key identifier, if any, is the issuer's.
  public func isSigned(by issuer: P256PublicKey) -> Bool {
    document.envelope.isSigned(by: issuer)
  }
}
