import VaultCrypto

/// What both sides know once AUTH0 is answered: the reader's command and the device's ephemeral key.
struct Auth0Exchange: Sendable {
  let command: Auth0Command
  let ephemeralKey: P256PrivateKey

  /// What both sides sign, with a usage of their own (section 6): 126 octets.
  ///
  /// Private to this file but for the two constants below, so that no other usage can be signed.
  private func transcript(_ usage: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x20] + command.readerIdentifier
    bytes += [0x86, 0x20] + ephemeralKey.publicKey.x
    bytes += [0x87, 0x20] + command.readerEphemeralKey.x
    bytes += [0x4C, 0x10] + command.transactionIdentifier
    return bytes + [0x93, 0x04] + usage
  }

  var readerTranscript: [UInt8] { transcript([0x41, 0x5D, 0x95, 0x69]) }
  var deviceTranscript: [UInt8] { transcript([0x4E, 0x88, 0x7B, 0x4C]) }
}
