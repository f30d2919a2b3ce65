public import VaultCrypto
public import WireCoding

/// A signed revocation document of a credential issuer (section 13): which credentials no longer count.
///
/// A device only carries it to readers. Making one checks the form and every digest;
/// ``isSigned(by:)`` judges the issuer.
public struct RevocationDocument: Hashable, Sendable {
  /// The type of a revocation document, as opposed to an access document, and the namespace of what
  /// it says.
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

  /// The values that are revocation data, in their order.
  private let data: [RevocationData]
  /// Whether a value in the namespace of revocation data is something else.
  private let hasOtherValues: Bool
  /// Whether there are values of other namespaces that the vault does not know.
  private let hasForeignValues: Bool

  /// Decodes a document.
  ///
  /// - Parameter bytes: the document, at most 64 KiB.
  /// - Throws: ``DocumentFlaw``, also when it names a credential's key as access documents do.
  public init(_ bytes: [UInt8]) throws(DocumentFlaw) {
    let document = try SignedDocument(bytes)
    guard document.object.deviceKey == nil else { throw .field("mso.deviceKey") }
    var data: [RevocationData] = []
    var unread: Set<String> = []
    for nameSpace in document.nameSpaces {
      for item in nameSpace.items {
        if let value = document.value(of: item).flatMap({ RevocationData($0) }) {
          data.append(value)
        } else {
          unread.insert(nameSpace.name)
        }
      }
    }
    self.data = data
    hasOtherValues = unread.remove(Self.type) != nil
    hasForeignValues = !unread.isEmpty
    self.document = document
  }

  /// What a reader is to do with the entries; `nil` when the document does not say, or its elements
  /// do not agree.
  public var mode: ChangeMode? { Set(data.map(\.mode)).count == 1 ? data.first?.mode : nil }

  /// How many credentials it revokes.
  public var entryCount: Int { data.reduce(0) { $0 + $1.entryCount } }

  /// When the issuer signed it; AUTH1 reports this time.
  public var signed: Timestamp { document.object.signed }

  /// The first second of its validity.
  public var validFrom: Timestamp { document.object.validFrom }

  /// The last second of its validity.
  public var validUntil: Timestamp { document.object.validUntil }

  /// Tells why no reader's list could change by it from a time on.
  ///
  /// What the vault cannot judge (extensions, the values of other namespaces) counts as possible.
  ///
  /// - Parameter time: the vault's time.
  /// - Returns: ``PassFlaw/expired``, ``PassFlaw/revocationData``, ``PassFlaw/revokesNothing`` or
  ///   ``PassFlaw/entriesOver``; `nil` when it may be of use.
  func hopelessness(at time: Timestamp) -> PassFlaw? {
    guard time <= validUntil else { return .expired }
    guard !hasOtherValues else { return .revocationData }
    guard !hasForeignValues else { return nil }
    guard mayChange(from: .earliest) else { return .revokesNothing }
    return mayChange(from: max(time, validFrom)) ? nil : .entriesOver
  }

  private func mayChange(from start: Timestamp) -> Bool {
    data.contains { $0.mayChange(from: start) }
  }

  /// Tells whether an issuer signed the document.
  ///
  /// - Parameter issuer: the issuer's key.
  /// - Returns: whether the signature verifies, and the key identifier, if any, is the issuer's.
  public func isSigned(by issuer: P256PublicKey) -> Bool {
    document.envelope.isSigned(by: issuer)
  }
}
