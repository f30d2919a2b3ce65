public import WireCoding

/// When the documents of a credential were signed, and when they hold.
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
}
