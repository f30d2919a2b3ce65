import VaultCrypto

/// A reader that has signed this very exchange with a key its group vouches for.
///
/// Everything that identifies the credential takes one of these, so that none of it can happen
/// before the reader's signature has been verified (section 6).
struct AuthenticatedReader: Sendable {
  let exchange: Auth0Exchange
  let group: ReaderGroupTrust

  /// Verifies the reader's signature.
  ///
  /// - Returns: `nil` when it is not the key's signature over this exchange.
  init?(_ exchange: Auth0Exchange, signature: [UInt8], key: VerifiedReaderKey) {
    guard let signature = try? P256Signature(raw: signature.span),
      key.key.isValidSignature(signature, message: exchange.readerTranscript.span)
    else { return nil }
    self.exchange = exchange
    group = key.group
  }

  /// Does the work of a check whose outcome is settled, with a key of the reader's own choosing.
  static func spendVerification(_ exchange: Auth0Exchange, signature: [UInt8]) {
    guard let signature = try? P256Signature(raw: signature.span) else { return }
    _ = exchange.command.readerEphemeralKey.isValidSignature(
      signature, message: exchange.readerTranscript.span)
  }
}
