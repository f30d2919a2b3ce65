import VaultCrypto
import WireCoding

/// What LOAD CERT and AUTH1 need of AUTH0 (sections 5 and 6).
struct AwaitingAuth1 {
  let exchange: Auth0Exchange
  private var proof: ReaderProof

  init(exchange: Auth0Exchange, group: GroupStanding) {
    self.exchange = exchange
    proof = ReaderProof(in: group)
  }

  /// Whether no certificate was loaded yet.
  var acceptsCertificate: Bool { proof.acceptsCertificate }

  /// Whether a command may come now; LOAD CERT comes once.
  func expects(_ instruction: CommandAPDU.Instruction) -> Bool {
    instruction == .auth1 || instruction == .loadCertificate && acceptsCertificate
  }

  /// LOAD CERT.
  mutating func load(certificate data: [UInt8], at time: Timestamp) throws(Failure) {
    guard acceptsCertificate else {
      throw .wrongState("The reader sent a second certificate.")
    }
    try proof.load(certificate: data, at: time)
  }

  /// AUTH1: the order of section 6, in which each step needs what the one before it made.
  func answer(auth1 data: [UInt8], _ surroundings: Surroundings) throws(Failure) -> Transition {
    let command = try Auth1Command(data)
    let time = surroundings.moment.time
    var proof = proof
    if let octets = command.certificate {
      guard proof.acceptsCertificate else {
        throw .malformed("The reader sent a certificate in AUTH1 after loading one.")
      }
      try proof.load(certificate: octets, at: time)
    }
    let (reader, credential) = try proof.authenticate(
      exchange, signature: command.signature, at: time)
    let secret = try AgreedSecret(with: reader)
    // The credential signs when nothing else can fail but the answer.
    var channels = try SessionChannels(
      standard: secret.volatileKeys(), surroundings.configuration)
    let persistentKey = try secret.persistentKey(for: credential.signer.publicKey)
    let report = try CredentialReport(
      of: credential, memory: surroundings.memory, over: exchange.interface)
    let plaintext = try Self.plaintext(
      for: reader, credential, report, wantsPublicKey: command.wantsPublicKey)
    let answer = try channels.seal(answer: plaintext)
    let session = AcceptedSession(channels, of: credential, isReaderAuthenticated: true)
    return Transition(
      .presented(session, .awaitingCompletion()), answer: answer, .success,
      events: [
        PresentationEvent(.readerAuthenticated), PresentationEvent(.credentialPresented),
      ],
      changes: [.persistentKey(persistentKey)])
  }

  /// The answer before encryption: who the credential is, its signature, its documents.
  private static func plaintext(
    for reader: AuthenticatedReader<Auth0Exchange>, _ credential: UsableCredential,
    _ report: CredentialReport, wantsPublicKey: Bool
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
      try report.append(to: &writer)
      return writer.bytes
    }
  }
}
