import WireCoding

/// How a reader proves itself: by a certificate, if it shows one, and by its signature (section 6,
/// steps 1 and 2).
struct ReaderProof {
  /// What has become of a certificate.
  private enum Certificate {
    case none
    case verified(VerifiedReaderKey)
    /// It decodes and is not good. The reader learns so with its signature (section 14).
    case refused(Refusal)
  }

  private let group: GroupStanding
  private var certificate = Certificate.none

  /// Begins with what the vault knows of the reader's group.
  init(in group: GroupStanding) {
    self.group = group
  }

  /// Whether a certificate may come: once.
  var acceptsCertificate: Bool {
    if case .none = certificate { true } else { false }
  }

  /// Decodes and judges a certificate.
  ///
  /// A signature is verified in every case, so that the time it takes does not tell a known group
  /// from an unknown one.
  ///
  /// - Throws: ``Failure`` when it does not decode.
  mutating func load(certificate octets: [UInt8], at time: Timestamp) throws(Failure) {
    let decoded: UnverifiedReaderCertificate
    do {
      decoded = try UnverifiedReaderCertificate(compressed: octets)
    } catch {
      throw Failure(
        statusWord: .executionError,
        refusal: Refusal(.protocolError, "The reader's certificate does not decode."))
    }
    switch group {
    case .unknown(let refusal):
      decoded.spendVerification()
      certificate = .refused(refusal)
    case .trusted(let trust, _):
      do {
        certificate = .verified(try VerifiedReaderKey(decoded, issuedBy: trust, at: time))
      } catch {
        certificate = .refused(error.refusal)
      }
    }
  }

  /// Verifies the reader's signature with its certificate's key, else with the group's.
  ///
  /// One signature is verified here whatever the outcome.
  func authenticate<Exchange>(
    _ exchange: Exchange, signature: [UInt8], at time: Timestamp
  ) throws(Failure) -> (AuthenticatedReader<Exchange>, UsableCredential) {
    let refusal: Refusal
    switch (group, certificate) {
    case (.unknown(let reason), _), (.trusted, .refused(let reason)):
      refusal = reason
    case (.trusted(let trust, let credential), .none),
      (.trusted(let trust, let credential), .verified):
      var key = VerifiedReaderKey(of: trust)
      if case .verified(let certified) = certificate { key = certified }
      guard let reader = AuthenticatedReader(exchange, signature: signature, key: key) else {
        throw .untrusted(Refusal(.readerUntrusted, "The reader's signature does not verify."))
      }
      if let expired = credential.documents.access?.refusal(at: time) {
        throw .untrusted(expired)
      }
      return (reader, credential)
    }
    AuthenticatedReader.spendVerification(exchange, signature: signature)
    throw .untrusted(refusal)
  }
}
