import WireCoding

/// The decrypted data of an EXCHANGE, checked for form and order alone (section 9).
struct ExchangeCommand: Hashable, Sendable {
  /// What it asks of the mailbox (BA).
  let mailbox: MailboxCommands?
  /// What the reader wants to be known (AE).
  let notice: ReaderNotice?
  /// How the transaction ended for the reader (97).
  let readerStatus: ReaderStatus?
  /// Whether the ranging key is to be made available (98).
  let wantsRanging: Bool
  /// Whether it brings a new document (81).
  let updatesDocument: Bool

  private static let rules: [CommandFields.Rule] = [
    .init(tag: 0xBA, length: 0...0xFFFF, isRequired: false),
    .init(tag: 0xAE, length: 0...250, isRequired: false),
    .init(tag: 0x97, length: 2...2, isRequired: false),
    .init(tag: 0x98, length: 0...0, isRequired: false),
    .init(tag: 0x81, length: 0...0xFFFF, isRequired: false),
  ]

  /// Reads the plaintext; unknown tags are skipped.
  init(_ plaintext: [UInt8]) throws(Failure) {
    let fields = try CommandFields(plaintext, Self.rules)
    mailbox = if let value = fields.optional(0xBA) { try MailboxCommands(value) } else { nil }
    notice = if let value = fields.optional(0xAE) { try ReaderNotice.read(value) } else { nil }
    readerStatus = ReaderStatus(fields.value(0x97))
    wantsRanging = fields.optional(0x98) != nil
    updatesDocument = fields.optional(0x81) != nil
  }
}
