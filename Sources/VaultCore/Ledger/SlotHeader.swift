package import VaultCrypto

/// What a slot says openly; all of it is authenticated when the slot opens.
package struct SlotHeader: Hashable, Sendable {
  /// The kind of secret.
  package let kind: SlotKind
  /// The vault it belongs to, 16 octets.
  package let vaultID: [UInt8]
  /// What people call it, at most 64 octets.
  package let label: String
  /// When it was made, Unix seconds.
  package let created: Int64
  /// What Argon2id costs, for a passphrase.
  package let parameters: Argon2id.Parameters?
  /// The salt, 16 random octets.
  let salt: [UInt8]

  /// The most octets of a label.
  package static let maximumLabel = 64

  init(
    kind: SlotKind, vaultID: [UInt8], label: String, created: Int64,
    parameters: Argon2id.Parameters?, salt: [UInt8]
  ) {
    self.kind = kind
    self.vaultID = vaultID
    self.label = label
    self.created = created
    self.parameters = parameters
    self.salt = salt
  }

  /// The header as it stands in the slot, which is also the associated data of its box.
  var encoded: [UInt8] {
    var encoder = CanonicalEncoder("latchkey slot")
    encoder.integer(LedgerFormat.version)
    encoder.integer(kind.rawValue)
    encoder.octets(vaultID)
    encoder.text(label)
    encoder.integer(created)
    encoder.integer(Int64(clamping: parameters?.operations ?? 0))
    encoder.integer(Int64(clamping: parameters?.memoryKiB ?? 0))
    encoder.octets(salt)
    return encoder.bytes
  }

  /// Reads a header.
  ///
  /// - Throws: ``LedgerError/unsupportedFormat(_:)`` for a format or kind of a later release,
  ///   ``UnsealFailure/damagedSlot`` for anything else, costs out of bounds included.
  init(_ decoder: inout CanonicalDecoder) throws(LedgerError) {
    guard let format = decoder.integer(), let kindNumber = decoder.integer() else {
      throw .unseal(.damagedSlot)
    }
    guard format == LedgerFormat.version, let kind = SlotKind(rawValue: kindNumber) else {
      throw .unsupportedFormat(format)
    }
    guard let vaultID = decoder.octets(count: 16), let label = decoder.text(),
      label.utf8.count <= Self.maximumLabel, let created = decoder.integer(),
      let operations = decoder.integer(), let memoryKiB = decoder.integer(),
      operations >= 0, memoryKiB >= 0, let salt = decoder.octets(count: 16)
    else { throw .unseal(.damagedSlot) }
    var parameters: Argon2id.Parameters?
    if kind == .passphrase {
      // Bounded before anything is run: a file must not be able to exhaust the machine.
      parameters = try? Argon2id.Parameters(
        operations: UInt64(operations), memoryKiB: UInt64(memoryKiB))
      guard parameters != nil else { throw .unseal(.damagedSlot) }
    } else {
      guard operations == 0, memoryKiB == 0 else { throw .unseal(.damagedSlot) }
    }
    self.init(
      kind: kind, vaultID: vaultID, label: label, created: created, parameters: parameters,
      salt: salt)
  }
}
