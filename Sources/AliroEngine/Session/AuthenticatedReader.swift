import VaultCrypto
import WireCoding

/// A reader that has signed this very exchange with a key its group vouches for.
///
/// Everything that identifies the credential takes one of these, so that none of it can happen
/// before the reader's signature has been verified (section 6).
struct AuthenticatedReader<Exchange: SignedExchange>: Sendable {
  let exchange: Exchange
  let group: ReaderGroupTrust
  /// The last second of the reader's certificate, when it showed one.
  let validUntil: Timestamp?

  /// Verifies the reader's signature.
  ///
  /// - Returns: `nil` when it is not the key's signature over this exchange.
  init?(_ exchange: Exchange, signature: [UInt8], key: VerifiedReaderKey) {
    guard let signature = try? P256Signature(raw: signature.span),
      key.key.isValidSignature(signature, message: exchange.fields.readerTranscript.span)
    else { return nil }
    self.exchange = exchange
    group = key.group
    validUntil = key.validUntil
  }

  /// Does the work of a check whose outcome is settled, with a key of the reader's own choosing.
  static func spendVerification(_ exchange: Exchange, signature: [UInt8]) {
    let fields = exchange.fields
    guard let signature = try? P256Signature(raw: signature.span) else { return }
    _ = fields.readerEphemeralKey.isValidSignature(
      signature, message: fields.readerTranscript.span)
  }
}
