import VaultCrypto
import WireCoding

/// The session between AUTH0 and AUTH1 (sections 5 and 6).
struct AwaitingAuth1 {
  let exchange: Auth0Exchange
  private var proof: ReaderProof

  init(exchange: Auth0Exchange, group: GroupStanding) {
    self.exchange = exchange
    proof = ReaderProof(in: group)
  }

  /// Whether LOAD CERT may come: once, and not after AUTH1.
  var acceptsCertificate: Bool { proof.acceptsCertificate }

  /// LOAD CERT.
  func answer(loadCertificate data: [UInt8], at time: Timestamp) throws(Failure) -> Transition {
    guard acceptsCertificate else {
      throw .wrongState("The reader sent a second certificate.")
    }
    var next = self
    try next.proof.load(certificate: data, at: time)
    return Transition(.awaitingAuth1(next), .success)
  }

  /// AUTH1: the order of section 6, in which each step needs what the one before it made.
  func answer(
    auth1 data: [UInt8], at time: Timestamp, channelSalt: [UInt8]
  ) throws(Failure) -> Transition {
    let command = try Auth1Command(data)
    var proof = proof
    if let octets = command.certificate {
      guard proof.acceptsCertificate else {
        throw .malformed("The reader sent a certificate in AUTH1 after loading one.")
      }
      try proof.load(certificate: octets, at: time)
    }
    let (reader, credential) = try proof.authenticate(
      exchange, signature: command.signature, at: time)
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

  /// The answer before encryption: who the credential is, its signature, its documents.
  private static func plaintext(
    for reader: AuthenticatedReader<Auth0Exchange>, _ credential: UsableCredential,
    wantsPublicKey: Bool
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
