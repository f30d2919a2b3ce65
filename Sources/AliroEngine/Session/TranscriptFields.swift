package import VaultCrypto

/// What both sides sign (section 6), but for the usage that tells one side's signature from the
/// other's.
package struct TranscriptFields: Hashable, Sendable {
  /// Group identifier, 16 octets, and sub-identifier, 16.
  let readerIdentifier: [UInt8]
  let deviceEphemeralKey: P256PublicKey
  let readerEphemeralKey: P256PublicKey
  /// 16 octets.
  let transactionIdentifier: [UInt8]

  /// Takes what the exchange consists of.
  ///
  /// - Parameters:
  ///   - readerIdentifier: group identifier, 16 octets, and sub-identifier, 16.
  ///   - deviceEphemeralKey: the device's key for this transaction.
  ///   - readerEphemeralKey: the reader's key for this transaction.
  ///   - transactionIdentifier: 16 octets.
  init(
    readerIdentifier: [UInt8], deviceEphemeralKey: P256PublicKey,
    readerEphemeralKey: P256PublicKey, transactionIdentifier: [UInt8]
  ) {
    self.readerIdentifier = readerIdentifier
    self.deviceEphemeralKey = deviceEphemeralKey
    self.readerEphemeralKey = readerEphemeralKey
    self.transactionIdentifier = transactionIdentifier
  }

  /// The fields of a transaction of which AUTH0 is answered.
  ///
  /// - Parameters:
  ///   - command: AUTH0.
  ///   - deviceKey: the device's key for this transaction.
  package init(_ command: Auth0Command, deviceKey: P256PublicKey) {
    self.init(
      readerIdentifier: command.readerIdentifier, deviceEphemeralKey: deviceKey,
      readerEphemeralKey: command.readerEphemeralKey,
      transactionIdentifier: command.transactionIdentifier)
  }

  /// The half of the reader identifier that finds the trust.
  var groupIdentifier: [UInt8] { Array(readerIdentifier.prefix(16)) }

  /// 126 octets.
  ///
  /// Private to this file but for the two constants below, so that no other usage can be signed.
  private func transcript(_ usage: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x20] + readerIdentifier
    bytes += [0x86, 0x20] + deviceEphemeralKey.x
    bytes += [0x87, 0x20] + readerEphemeralKey.x
    bytes += [0x4C, 0x10] + transactionIdentifier
    return bytes + [0x93, 0x04] + usage
  }

  /// What the reader signs.
  package var readerTranscript: [UInt8] { transcript([0x41, 0x5D, 0x95, 0x69]) }
  /// What the device signs.
  package var deviceTranscript: [UInt8] { transcript([0x4E, 0x88, 0x7B, 0x4C]) }
}

/// An exchange of ephemeral keys that both sides sign.
protocol SignedExchange: Sendable {
  /// What they sign.
  var fields: TranscriptFields { get }
}

extension TranscriptFields: SignedExchange {
  var fields: TranscriptFields { self }
}
