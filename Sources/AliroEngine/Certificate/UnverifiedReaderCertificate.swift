import VaultCrypto
import WireCoding

/// A reader certificate that has been decoded, and nothing more: its key must not be used for
/// anything until a ``VerifiedReaderKey`` has come of it.
struct UnverifiedReaderCertificate: Sendable {
  /// Why a certificate does not make its key a reader's key.
  enum Doubt: Error {
    case signature
    case validity

    /// The doubt for the caller of the presentation.
    var refusal: Refusal {
      switch self {
      case .signature:
        Refusal(.readerUntrusted, "The reader's certificate is not signed by its group's key.")
      case .validity:
        Refusal(.readerUntrusted, "The reader's certificate is not valid at this time.")
      }
    }
  }

  private let fields: CertificateFields
  private let claimedKey: P256PublicKey
  private let signature: P256Signature
  private let notBefore: Timestamp
  /// The last second of its validity, as it claims.
  let notAfter: Timestamp

  /// Decodes the compressed form; key, signature and dates must be well-formed as well.
  init(compressed: [UInt8]) throws(CompressedCertificate.Malformed) {
    let fields = try CompressedCertificate.decode(compressed)
    do {
      claimedKey = try P256PublicKey(uncompressed: fields.publicKey.span)
      signature = try P256Signature(der: fields.signature.span)
    } catch {
      throw CompressedCertificate.Malformed()
    }
    guard let notBefore = UTCTime.timestamp(fields.notBefore),
      let notAfter = UTCTime.timestamp(fields.notAfter)
    else { throw CompressedCertificate.Malformed() }
    self.fields = fields
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// Checks signature and dates.
  ///
  /// Dates the wrong way round hold at no time.
  ///
  /// - Parameters:
  ///   - authority: the provisioned key of the reader's group.
  ///   - time: the vault's time.
  /// - Returns: the certified key.
  /// - Throws: why there is none.
  func key(
    certifiedBy authority: P256PublicKey, at time: Timestamp
  ) throws(Doubt) -> P256PublicKey {
    guard isSigned(by: authority) else { throw .signature }
    guard notBefore <= time, time <= notAfter else { throw .validity }
    return claimedKey
  }

  /// Does the work of a check whose outcome is settled, so that a reader of an unknown group cannot
  /// tell by the clock that it is unknown.
  func spendVerification() {
    _ = isSigned(by: claimedKey)
  }

  /// The full X.509 certificate as the issuer would have to have written it, in DER.
  func x509(issuerKey: P256PublicKey) throws(TLVError) -> [UInt8] {
    var writer = TLVWriter()
    try writer.append(0x30) { certificate throws(TLVError) in
      certificate.append(encoded: try fields.toBeSigned(issuerKey: issuerKey))
      try CertificateFields.appendAlgorithm(to: &certificate)
      try certificate.append(0x03, [0] + signature.der)
    }
    return writer.bytes
  }

  private func isSigned(by authority: P256PublicKey) -> Bool {
    // The fields are far too short for the writer to refuse them.
    guard let body = try? fields.toBeSigned(issuerKey: authority) else { return false }
    return authority.isValidSignature(signature, message: body.span)
  }
}
