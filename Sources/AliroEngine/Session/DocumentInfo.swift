import VaultCrypto
public import WireCoding

/// What AUTH1 tells the reader about the documents of a credential (section 6), and when they hold.
public struct DocumentInfo: Hashable, Sendable {
  /// The times of an access document.
  public struct Validity: Hashable, Sendable {
    /// When it was signed.
    public let signed: Timestamp
    /// Its first second.
    public let validFrom: Timestamp
    /// Its last second.
    public let validUntil: Timestamp

    /// Takes the times of a document.
    ///
    /// - Parameter document: the document.
    public init(_ document: AccessDocument) {
      self.init(
        signed: document.signed, validFrom: document.validFrom, validUntil: document.validUntil)
    }

    init(signed: Timestamp, validFrom: Timestamp, validUntil: Timestamp) {
      self.signed = signed
      self.validFrom = validFrom
      self.validUntil = validUntil
    }

    /// Judges the document by the time.
    ///
    /// - Parameter time: the vault's time.
    /// - Returns: why it does not hold then; `nil` when it does.
    public func refusal(at time: Timestamp) -> Refusal? {
      if time < validFrom { return Refusal(.notYetValid, "The pass has not begun.") }
      if time > validUntil {
        return Refusal(.expired, "The pass has expired; store a new one for the same key.")
      }
      return nil
    }
  }

  /// The access document; `nil` when the credential is used without one.
  public let access: Validity?
  /// When the revocation document was signed, if there is one.
  public let revocationSigned: Timestamp?

  init(access: Validity?, revocationSigned: Timestamp? = nil) {
    self.access = access
    self.revocationSigned = revocationSigned
  }

  /// The end of AUTH1's answer: signaling bitmap (bits 0 and 1 of section 1), and the signed times
  /// of the documents there are.
  ///
  /// Absent times are left out, not zero-filled.
  func append(to writer: inout TLVWriter) throws(TLVError) {
    let bitmap: UInt8 = (access == nil ? 0 : 1) | (revocationSigned == nil ? 0 : 2)
    try writer.append(0x5E, [0, bitmap])
    if let access { try writer.append(0x91, Self.text(access.signed)) }
    if let revocationSigned { try writer.append(0x92, Self.text(revocationSigned)) }
  }

  private static func text(_ time: Timestamp) -> [UInt8] {
    var text: [UInt8] = []
    time.append(to: &text)
    return text
  }
}
