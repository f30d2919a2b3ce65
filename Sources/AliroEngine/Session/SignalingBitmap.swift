/// What a reader may expect of a credential, a bit each (section 1, bit 0 the least significant).
struct SignalingBitmap: OptionSet {
  let rawValue: UInt16

  static let accessDocument = SignalingBitmap(rawValue: 1 << 0)
  static let revocationDocument = SignalingBitmap(rawValue: 1 << 1)
  static let stepUpIsSelected = SignalingBitmap(rawValue: 1 << 2)
  static let mailboxHoldsSomething = SignalingBitmap(rawValue: 1 << 3)
  static let mailboxIsReadable = SignalingBitmap(rawValue: 1 << 4)
  static let mailboxIsWritable = SignalingBitmap(rawValue: 1 << 5)
  static let mailboxIsInStepUp = SignalingBitmap(rawValue: 1 << 10)
}

extension SignalingBitmap {
  /// The bits of a credential.
  ///
  /// - Parameters:
  ///   - credential: the credential.
  ///   - contents: the octets of its mailbox, if any.
  ///   - interface: over NFC step-up needs its application selected.
  init(of credential: UsableCredential, contents: [UInt8]?, over interface: Interface) {
    self = []
    let documents = credential.documents
    if documents.access != nil { insert(.accessDocument) }
    if documents.revocationSigned != nil { insert(.revocationDocument) }
    if !isEmpty && interface == .nfc { insert(.stepUpIsSelected) }
    guard let mailbox = credential.mailbox else { return }
    if contents?.contains(where: { $0 != 0 }) == true { insert(.mailboxHoldsSomething) }
    if mailbox.isReadable { insert(.mailboxIsReadable) }
    if mailbox.isWritable { insert(.mailboxIsWritable) }
    if mailbox.isUsableInStepUp { insert(.mailboxIsInStepUp) }
  }
}
