import SecureMemory
import VaultCrypto

/// Kdh: what the ephemeral keys of a transaction agree on, once the reader is authenticated
/// (section 7).
struct AgreedSecret: ~Copyable {
  private let reader: AuthenticatedReader<Auth0Exchange>
  private let secret: SecretBytes

  /// Agrees with an authenticated reader.
  init(with reader: AuthenticatedReader<Auth0Exchange>) throws(Failure) {
    let exchange = reader.exchange
    secret = try computing {
      let shared = try exchange.ephemeralKey.sharedSecret(with: exchange.command.readerEphemeralKey)
      return try X963KDF.sha256(
        sharedSecret: shared, sharedInfo: exchange.command.transactionIdentifier.span, count: 32)
    }
    self.reader = reader
  }

  /// ExpeditedSKReader, ExpeditedSKDevice, StepUpSK and BleSK.
  func volatileKeys() throws(Failure) -> KeyBlock {
    try KeyBlock(
      from: secret, salt: KeySalt.salt(.volatile, reader.exchange, group: reader.group.key.x),
      info: KeySalt.info(reader.exchange))
  }

  /// Kpersistent, for the next fast transaction of this reader and a credential.
  func persistentKey(for credential: P256PublicKey) throws(Failure) -> PersistentKey {
    let salt = KeySalt.salt(
      .persistent, reader.exchange, group: reader.group.key.x, credential: credential.x)
    let info = KeySalt.info(reader.exchange)
    let key = try computing {
      try HKDF.sha256(inputKey: secret, salt: salt.span, info: info.span, count: 32)
    }
    return PersistentKey(
      readerIdentifier: reader.exchange.command.readerIdentifier, key: key,
      validUntil: reader.validUntil)
  }
}
