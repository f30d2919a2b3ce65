import AliroEngine
import SecureMemory
import VaultCrypto

/// What both sides know of a transaction once AUTH0 is answered, as the lock keeps it.
struct Meeting {
  let door: SimulatedDoor
  let credential: P256PublicKey
  let interface: Interface
  let command: Auth0Command
  let ephemeralKey: P256PrivateKey
  let deviceKey: P256PublicKey

  /// What both sides sign (section 6).
  var fields: TranscriptFields { TranscriptFields(command, deviceKey: deviceKey) }

  /// Kdh, which the ephemeral keys agree on (section 7).
  func agreedKey() throws(ReaderFault) -> SecretBytes {
    try computing {
      let shared = try ephemeralKey.sharedSecret(with: deviceKey)
      return try X963KDF.sha256(
        sharedSecret: shared, sharedInfo: command.transactionIdentifier.span, count: 32)
    }
  }

  /// A block of keys, or of one, Kpersistent; made of Kdh, or for the fast form of Kpersistent.
  func keys(
    _ block: KeySalt.Block, from key: borrowing SecretBytes
  ) throws(ReaderFault) -> KeyBlock {
    let salt = KeySalt.salt(
      block, command, over: interface, group: door.authorityKey.x,
      credential: block == .volatile ? [] : credential.x)
    let info = KeySalt.info(command, deviceKey: deviceKey)
    return try computing { try KeyBlock(from: key, salt: salt, info: info) }
  }
}
