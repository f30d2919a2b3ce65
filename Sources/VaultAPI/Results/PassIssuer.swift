public import WireCoding

/// Who issued the documents of a pass.
public struct PassIssuer: VaultResult, Hashable {
  /// What the access document says of the key it is signed with.
  public var keyIdentifier: [UInt8]?
  /// Whether the signatures were checked with a key that came with the pass.
  public var verified: Bool

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - keyIdentifier: what the access document says of the key it is signed with.
  ///   - verified: whether the signatures were checked with a key that came with the pass.
  public init(keyIdentifier: [UInt8]? = nil, verified: Bool) {
    self.keyIdentifier = keyIdentifier
    self.verified = verified
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    if let keyIdentifier {
      writer.name("key_identifier")
      writer.base64(keyIdentifier)
    }
    writer.name("verified")
    writer.boolean(verified)
    writer.endObject()
  }
}
