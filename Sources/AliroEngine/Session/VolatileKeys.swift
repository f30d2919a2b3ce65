import SecureMemory
import VaultCrypto

/// The block of keys that AUTH1 makes (section 7): ExpeditedSKReader, ExpeditedSKDevice, StepUpSK,
/// BleSK and URSK, 32 octets each.
struct VolatileKeys: ~Copyable {
  private let block: SecretBytes

  /// Agrees on the block with an authenticated reader.
  init(with reader: AuthenticatedReader<Auth0Exchange>) throws(Failure) {
    let exchange = reader.exchange
    block = try computing {
      let shared = try exchange.ephemeralKey.sharedSecret(with: exchange.command.readerEphemeralKey)
      let exchanged = try X963KDF.sha256(
        sharedSecret: shared, sharedInfo: exchange.command.transactionIdentifier.span, count: 32)
      return try HKDF.sha256(
        inputKey: exchanged, salt: Self.salt(for: reader).span, info: Self.info(exchange).span,
        count: 160)
    }
  }

  /// Decrypts what the reader sends within the expedited phase.
  func expeditedReaderKey() throws(Failure) -> SecretBytes { try key(0) }

  /// Encrypts what the device answers within the expedited phase.
  func expeditedDeviceKey() throws(Failure) -> SecretBytes { try key(1) }

  /// The input of the BLE channel's keys.
  func bleKey() throws(Failure) -> SecretBytes { try key(3) }

  private func key(_ index: Int) throws(Failure) -> SecretBytes {
    try computing {
      try block.withBytes { bytes in
        try SecretBytes(copying: bytes.extracting(index * 32..<index * 32 + 32))
      }
    }
  }

  /// The salt of section 7, in its order.
  ///
  /// It opens with the provisioned key of the group, also when the reader showed a certificate
  /// (section 15.3).
  static func salt(for reader: AuthenticatedReader<Auth0Exchange>) -> [UInt8] {
    let command = reader.exchange.command
    var salt = reader.group.key.x + Array("Volatile****".utf8) + command.readerIdentifier
    // The interface: BLE. Then the chosen version as an element.
    salt += [0xC3, 0x5C, 0x02] + Auth0Command.version
    salt += command.readerEphemeralKey.x + command.transactionIdentifier + command.flags
    return salt + ProprietaryInformation.encoded
  }

  /// The info of section 7: the device's ephemeral x, then the reader's vendor extension, if any.
  static func info(_ exchange: Auth0Exchange) -> [UInt8] {
    exchange.ephemeralKey.publicKey.x + (exchange.command.vendorExtension ?? [])
  }
}
