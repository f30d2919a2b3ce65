/// What is wrong with a field of a pass.
public enum PassFlaw: Hashable, Sendable {
  /// There is nothing in it.
  case empty
  /// It has this many entries, more than 64.
  case tooMany(Int)
  /// It has this many octets, which is not the number that it must have.
  case wrongLength(Int)
  /// An earlier entry has the same value.
  case duplicate
  /// The octets are not a point of P-256.
  case notAPoint
  /// The octets are not one X.509 certificate with a key on P-256.
  case certificate
  /// The certificate's key is not the key that was sent beside it.
  case certificateKey
  /// The document is flawed.
  case document(DocumentFlaw)
  /// The document is of another type than the field is for.
  case documentType
  /// The document names another credential's key.
  case credential
  /// The document's validity ends before it begins.
  case validityReversed
  /// The document is not signed by the issuer's key.
  case issuerSignature
  /// The size of the mailbox is this number, which is not one of ``MailboxSettings/sizes``.
  case mailboxSize(Int)
  /// The document's validity is over.
  case expired
  /// Nothing in the document could ever open a door.
  case allowsNothing
  /// Every schedule in which the document would let a door open is over, or outside its validity.
  case schedulesOver
  /// A value in the revocation document is not revocation data.
  case revocationData
  /// No reader's list could ever change by the revocation document.
  case revokesNothing
  /// Every entry of the revocation document is over, or before its validity.
  case entriesOver
}
