public import WireCoding

/// The parameters of `unseal`: exactly one of `passphrase` and `key`.
public struct UnsealParams: VaultParams {
  enum Member: String, MemberName {
    case passphrase, key, slot, checkpoint
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .passphrase: .optional(.secretText(1...VaultLimits.passphraseOctets))
    case .key: .optional(.secretBase64(VaultLimits.slotKeyOctets))
    case .slot: .optional(VaultLimits.slots)
    case .checkpoint: .optional(.text(1...VaultLimits.checkpointOctets))
    }
  }

  /// The passphrase of a slot, as UTF-8.
  public var passphrase: SecretBox?
  /// The 32 octets of a key file.
  public var key: SecretBox?
  /// The only slot to try, instead of each that fits.
  public var slot: Int64?
  /// A line of the audit log that was kept elsewhere, a checkpoint, which the log must go on from.
  public var checkpoint: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase of a slot, as UTF-8.
  ///   - key: the 32 octets of a key file.
  ///   - slot: the only slot to try, instead of each that fits.
  ///   - checkpoint: a checkpoint that was kept elsewhere, which the audit log must go on from.
  public init(
    passphrase: SecretBox? = nil, key: SecretBox? = nil, slot: Int64? = nil,
    checkpoint: String? = nil
  ) {
    self.passphrase = passphrase
    self.key = key
    self.slot = slot
    self.checkpoint = checkpoint
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var passphrase: SecretBox?
    var key: SecretBox?
    var slot: Int64?
    var checkpoint: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .passphrase: passphrase = try object.secretText(&reader)
      case .key: key = try object.secretBase64(&reader)
      case .slot: slot = try object.integer(&reader)
      case .checkpoint: checkpoint = try object.text(&reader)
      }
    }
    try object.exactlyOne(.passphrase, .key)
    self.passphrase = passphrase
    self.key = key
    self.slot = slot
    self.checkpoint = checkpoint
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    if let passphrase {
      writer.name("passphrase")
      writer.string(secret: passphrase.bytes)
    }
    if let key {
      writer.name("key")
      writer.base64(secret: key.bytes)
    }
    writer.optional("slot", slot)
    writer.optional("checkpoint", checkpoint)
    writer.endObject()
  }
}
