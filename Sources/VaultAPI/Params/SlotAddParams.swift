public import WireCoding

/// The parameters of `slot.add`: exactly one of `passphrase` and `key`.
public struct SlotAddParams: VaultParams {
  enum Member: String, MemberName {
    case label, passphrase, key
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .label: .required(.text(1...64))
    case .passphrase: .optional(.secretText(1...VaultLimits.passphraseOctets))
    case .key: .optional(.secretBase64(VaultLimits.slotKeyOctets))
    }
  }

  /// What the admin calls the slot.
  public var label: String
  /// The passphrase of a slot, as UTF-8.
  public var passphrase: SecretBox?
  /// The 32 octets of a key file.
  public var key: SecretBox?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - label: what the admin calls the slot.
  ///   - passphrase: the passphrase of a slot, as UTF-8.
  ///   - key: the 32 octets of a key file.
  public init(label: String, passphrase: SecretBox? = nil, key: SecretBox? = nil) {
    self.label = label
    self.passphrase = passphrase
    self.key = key
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var label: String?
    var passphrase: SecretBox?
    var key: SecretBox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .label: label = try object.text(&reader)
      case .passphrase: passphrase = try object.secretText(&reader)
      case .key: key = try object.secretBase64(&reader)
      }
    }
    try object.exactlyOne(.passphrase, .key)
    self.label = try object.required(label, .label)
    self.passphrase = passphrase
    self.key = key
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("label")
    writer.string(label)
    if let passphrase {
      writer.name("passphrase")
      writer.string(secret: passphrase.bytes)
    }
    if let key {
      writer.name("key")
      writer.base64(secret: key.bytes)
    }
    writer.endObject()
  }
}
