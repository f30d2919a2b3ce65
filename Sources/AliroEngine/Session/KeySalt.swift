package import VaultCrypto

/// The salt and the info of the derivations of section 7.
package enum KeySalt {
  /// Which block of keys a derivation makes.
  package enum Block: String {
    case volatile = "Volatile****"
    case volatileFast = "VolatileFast"
    case persistent = "Persistent**"
  }

  /// The salt, in its order.
  ///
  /// - Parameters:
  ///   - block: what is derived.
  ///   - command: AUTH0.
  ///   - interface: how it came.
  ///   - group: x of the provisioned key of the group, also when the reader showed a certificate
  ///     (section 15.3).
  ///   - credential: x of the credential's long-term key (section 15.2), for all but `volatile`.
  /// - Returns: the salt.
  package static func salt(
    _ block: Block, _ command: Auth0Command, over interface: Interface, group: [UInt8],
    credential: [UInt8] = []
  ) -> [UInt8] {
    var salt = group + Array(block.rawValue.utf8) + command.readerIdentifier
    // The interface, then the chosen version as an element.
    salt += [interface.rawValue, 0x5C, 0x02] + Auth0Command.version
    salt += command.readerEphemeralKey.x + command.transactionIdentifier + command.flags
    return salt + ProprietaryInformation.encoded + credential
  }

  /// The info: the device's ephemeral x, then the reader's vendor extension, if any, as a whole
  /// element (section 15.10).
  package static func info(_ command: Auth0Command, deviceKey: P256PublicKey) -> [UInt8] {
    deviceKey.x + (command.vendorExtension ?? [])
  }

  /// The salt as the device has it, with AUTH0 and how it came.
  static func salt(
    _ block: Block, _ exchange: Auth0Exchange, group: [UInt8], credential: [UInt8] = []
  ) -> [UInt8] {
    salt(
      block, exchange.command, over: exchange.interface, group: group, credential: credential)
  }

  /// The info as the device has it.
  static func info(_ exchange: Auth0Exchange) -> [UInt8] {
    info(exchange.command, deviceKey: exchange.ephemeralKey.publicKey)
  }
}
