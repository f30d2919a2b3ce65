import VaultCrypto

/// The salt and the info of the derivations of section 7.
enum KeySalt {
  /// Which block of keys a derivation makes.
  enum Block: String {
    case volatile = "Volatile****"
    case volatileFast = "VolatileFast"
    case persistent = "Persistent**"
  }

  /// The salt, in its order.
  ///
  /// - Parameters:
  ///   - block: what is derived.
  ///   - exchange: AUTH0.
  ///   - group: x of the provisioned key of the group, also when the reader showed a certificate
  ///     (section 15.3).
  ///   - credential: x of the credential's long-term key (section 15.2), for all but `volatile`.
  /// - Returns: the salt.
  static func salt(
    _ block: Block, _ exchange: Auth0Exchange, group: [UInt8], credential: [UInt8] = []
  ) -> [UInt8] {
    let command = exchange.command
    var salt = group + Array(block.rawValue.utf8) + command.readerIdentifier
    // The interface, then the chosen version as an element.
    salt += [exchange.interface.rawValue, 0x5C, 0x02] + Auth0Command.version
    salt += command.readerEphemeralKey.x + command.transactionIdentifier + command.flags
    return salt + ProprietaryInformation.encoded + credential
  }

  /// The info: the device's ephemeral x, then the reader's vendor extension, if any, as a whole
  /// element (section 15.10).
  static func info(_ exchange: Auth0Exchange) -> [UInt8] {
    exchange.ephemeralKey.publicKey.x + (exchange.command.vendorExtension ?? [])
  }
}
