import VaultCrypto
import WireCoding

/// The session between AUTH0 and AUTH1 (sections 5 and 6).
struct AwaitingAuth1 {
  /// What has become of a certificate.
  enum Certificate {
    case none
    case verified(VerifiedReaderKey)
    /// It decodes and is not good. The reader learns so at AUTH1 (section 14).
    case refused(Refusal)
  }

  let exchange: Auth0Exchange
  let group: GroupStanding
  private(set) var certificate = Certificate.none

  init(exchange: Auth0Exchange, group: GroupStanding) {
    self.exchange = exchange
    self.group = group
  }

  /// Whether LOAD CERT may come: once, and not after AUTH1.
  var acceptsCertificate: Bool {
    if case .none = certificate { true } else { false }
  }

  /// LOAD CERT.
  func answer(loadCertificate data: [UInt8], at time: Timestamp) throws(Failure) -> Transition {
    guard acceptsCertificate else {
      throw .wrongState("The reader sent a second certificate.")
    }
    var next = self
    next.certificate = try judge(data, at: time)
    return Transition(.awaitingAuth1(next), .success)
  }

  /// AUTH1: the order of section 6, in which each step needs what the one before it made.
  func answer(
    auth1 data: [UInt8], at time: Timestamp, channelSalt: [UInt8]
  ) throws(Failure) -> Transition {
    let command = try Auth1Command(data)
    var shown = certificate
    if let octets = command.certificate {
      guard acceptsCertificate else {
        throw .malformed("The reader sent a certificate in AUTH1 after loading one.")
      }
      shown = try judge(octets, at: time)
    }
    let (reader, credential) = try authenticate(command.signature, shown, at: time)
    let keys = try VolatileKeys(with: reader)
    // The channels come first: the credential signs when nothing else can fail but the answer.
    let accepted = try AcceptedSession(keys, channelSalt: channelSalt)
    var expedited = try SecureChannel(key: try keys.expeditedDeviceKey(), .fromDevice)
    let plaintext = try Self.plaintext(
      for: reader, credential, wantsPublicKey: command.wantsPublicKey)
    let answer = try expedited.seal(plaintext)
    return Transition(
      .awaitingCompletion(accepted), answer: answer, .success,
      events: [
        PresentationEvent(.readerAuthenticated), PresentationEvent(.credentialPresented),
      ])
  }

  /// Decodes and judges a certificate.
  ///
  /// A signature is verified in every case, so that the time it takes does not tell a known group
  /// from an unknown one.
  private func judge(_ octets: [UInt8], at time: Timestamp) throws(Failure) -> Certificate {
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
      return .refused(refusal)
    case .trusted(let trust, _):
      do {
        return .verified(try VerifiedReaderKey(decoded, issuedBy: trust, at: time))
      } catch {
        return .refused(error.refusal)
      }
    }
  }

  /// Steps 1 and 2 of section 6: certificate, then the reader's signature with its key, else with
  /// the group's.
  ///
  /// One signature is verified here whatever the outcome.
  private func authenticate(
    _ signature: [UInt8], _ certificate: Certificate, at time: Timestamp
  ) throws(Failure) -> (AuthenticatedReader, UsableCredential) {
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

  /// The answer before encryption: who the credential is, its signature, its documents.
  private static func plaintext(
    for reader: AuthenticatedReader, _ credential: UsableCredential, wantsPublicKey: Bool
  ) throws(Failure) -> [UInt8] {
    try computing {
      let key = credential.signer.publicKey.uncompressed
      let signature = try credential.signer.sign(DeviceTranscript(for: reader))
      var writer = TLVWriter()
      if wantsPublicKey {
        try writer.append(0x5A, key)
      } else {
        // The key slot is a SHA-1, unlike the document's key identifier (section 15.9).
        try writer.append(0x4E, Array(SHA1.hash(key.span).prefix(8)))
      }
      try writer.append(0x9E, signature.raw)
      try credential.documents.append(to: &writer)
      return writer.bytes
    }
  }
}
