import VaultCrypto

/// What both sides know once AUTH0 is answered: the reader's command and the device's ephemeral key.
struct Auth0Exchange: SignedExchange {
  let command: Auth0Command
  let ephemeralKey: P256PrivateKey
  let interface: Interface

  var fields: TranscriptFields {
    TranscriptFields(command, deviceKey: ephemeralKey.publicKey)
  }
}
