import SecureMemory
import Synchronization
import VaultCrypto
import WireCoding

@testable import AliroEngine
@testable import SimulatedReader

/// An ephemeral key of the vectors, as often as it is asked for.
struct FixedEphemeralKey: SessionKeySource {
  let key: P256PrivateKey

  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey { key }
}

/// A source that has no key to give.
struct NoEphemeralKey: SessionKeySource {
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey {
    throw .refused(Refusal(.busy, "No memory."))
  }
}

extension SessionKeySource {
  /// 32 octets that are anything but random.
  func makeDecoyKey() throws(AliroError) -> SecretBytes { try secret([UInt8](0..<32)) }
}

/// A secret of octets that are none.
func secret(_ octets: [UInt8]) throws(AliroError) -> SecretBytes {
  do {
    return try SecretBytes(copying: octets.span)
  } catch {
    throw .refused(Refusal(.busy, "No memory."))
  }
}

/// What a credential keeps, as a vault would keep it.
final class FakeMemory: PresentationMemory {
  /// Persistent keys by reader identifier.
  var persistentKeys: [[UInt8]: [UInt8]] = [:]
  var mailboxContents: [UInt8]?
  /// What is thrown at everything asked for.
  var refusal: Refusal?
  private(set) var asked: [[UInt8]] = []

  init(persistentKeys: [[UInt8]: [UInt8]] = [:], mailbox: [UInt8]? = nil) {
    self.persistentKeys = persistentKeys
    mailboxContents = mailbox
  }

  func persistentKey(
    of readerIdentifier: [UInt8], at time: Timestamp
  ) throws(AliroError) -> SecretBytes? {
    asked.append(readerIdentifier)
    if let refusal { throw .refused(refusal) }
    guard let key = persistentKeys[readerIdentifier] else { return nil }
    return try secret(key)
  }

  func mailbox() throws(AliroError) -> [UInt8]? {
    if let refusal { throw .refused(refusal) }
    return mailboxContents
  }

  /// Does what a step asks to be done.
  func apply(_ changes: [PresentationChange]) {
    for change in changes {
      switch change {
      case .persistentKey(let key):
        persistentKeys[key.readerIdentifier] = key.key.withBytes { Array(copying: $0) }
      case .mailbox(let writes):
        for write in writes {
          let end = write.offset + write.octets.count
          mailboxContents?.replaceSubrange(write.offset..<end, with: write.octets)
        }
      }
    }
  }
}

/// A credential that signs with the vectors' key, or answers a signature made beforehand, and counts.
final class SpySigner: CredentialSigner {
  let key: P256PrivateKey
  let prepared: P256Signature?
  let refusal: Refusal?
  private let signed = Mutex<[[UInt8]]>([])

  init(prepared: [UInt8]? = nil, refusal: Refusal? = nil) throws {
    key = try vectorKey("credential")
    self.prepared = try prepared.map { try P256Signature(raw: $0.span) }
    self.refusal = refusal
  }

  var publicKey: P256PublicKey { key.publicKey }

  /// What was signed so far.
  var transcripts: [[UInt8]] { signed.withLock { $0 } }

  func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
    if let refusal { throw .refused(refusal) }
    signed.withLock { $0.append(transcript.bytes) }
    if let prepared { return prepared }
    do {
      return try key.signature(message: transcript.bytes.span)
    } catch {
      throw .refused(Refusal(.keyUnusable, "\(error)"))
    }
  }
}

/// A presentation with what surrounds it, and shorthand for driving it.
final class Session {
  let signer: SpySigner
  let memory: FakeMemory
  private let isFramed: Bool
  private var presentation: AliroPresentation
  /// Milliseconds since the start.
  var uptime: Int64 = 1_000_000

  init(
    _ credential: PresentedCredential, signer: SpySigner, keys: any SessionKeySource,
    transport: PresentationTransport, userAuthentication: UserAuthentication = .refused,
    memory: FakeMemory = FakeMemory()
  ) throws {
    self.signer = signer
    self.memory = memory
    isFramed = transport != .nfc
    presentation = AliroPresentation(
      configuration: try PresentationConfiguration(
        transport: transport, credential: credential, keys: keys,
        userAuthentication: userAuthentication))
  }

  var state: PresentationState { presentation.state }

  func start() -> PresentationStep { presentation.start(at: Moment(time: someDay, uptime: uptime)) }

  func close() -> PresentationStep { presentation.close() }

  func request(_ request: ReaderRequest) -> PresentationStep {
    presentation.request(request, at: Moment(time: someDay, uptime: uptime))
  }

  /// One message as it is.
  func receive(_ message: [UInt8], at time: Timestamp = someDay) -> PresentationStep {
    let step = presentation.receive(
      message.span, at: Moment(time: time, uptime: uptime), memory: memory)
    memory.apply(step.changes)
    return step
  }

  /// One command APDU, framed where the transport has frames.
  func command(_ apdu: [UInt8], at time: Timestamp = someDay) -> PresentationStep {
    receive(isFramed ? frame(0, 0, apdu) : apdu, at: time)
  }

  /// A command and its whole answer, fetched part by part, status word included.
  func fetch(_ apdu: [UInt8]) -> [UInt8] {
    var step = command(apdu)
    var data: [UInt8] = []
    while true {
      let message = step.messages.first ?? []
      let answer = Array(message.dropFirst(isFramed ? 4 : 0))
      data += answer.dropLast(2)
      guard let word = step.statusWord, word >> 8 == 0x61 else { return data + answer.suffix(2) }
      step = command([0x00, 0xC0, 0x00, 0x00, UInt8(word & 0xFF)])
    }
  }
}

/// The BLE transport with one version listed.
func ble(_ intent: PresentationIntent = .unsecure) -> PresentationTransport {
  .ble(readerVersions: [1, 0], version: [1, 0], intent: intent)
}

/// A message of the channel.
func frame(_ protocolNumber: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
  [protocolNumber, id, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
}

/// The reader's end of the notification channel, with keys from the vectors.
struct ReaderChannel: ~Copyable {
  private var toDevice: SecureChannel
  private var fromDevice: SecureChannel

  init(readerKey: [UInt8], deviceKey: [UInt8]) throws {
    let toDevice = try SecureChannel(key: SecretBytes(copying: readerKey.span), .fromReader)
    let fromDevice = try SecureChannel(key: SecretBytes(copying: deviceKey.span), .fromDevice)
    self.toDevice = toDevice
    self.fromDevice = fromDevice
  }

  mutating func seal(_ id: UInt8, _ payload: [UInt8], protocolNumber: UInt8 = 2) throws -> [UInt8] {
    let header = [
      protocolNumber, id, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF),
    ]
    return frame(protocolNumber, id, try toDevice.seal(payload, associatedData: header))
  }

  mutating func open(_ message: [UInt8]) throws -> [UInt8]? {
    var header = Array(message.prefix(4))
    header[3] -= 16
    return try fromDevice.open(Array(message.dropFirst(4)), associatedData: header)
  }
}

/// The reader's end of a channel of commands, with keys from the vectors.
struct ReaderCommands: ~Copyable {
  private var toDevice: SecureChannel
  private var fromDevice: SecureChannel

  /// Begins where so many answers have gone over the channel.
  init(readerKey: [UInt8], deviceKey: [UInt8], answered: UInt32 = 0) throws {
    let toDevice = try SecureChannel(key: SecretBytes(copying: readerKey.span), .fromReader)
    let fromDevice = try SecureChannel(
      key: SecretBytes(copying: deviceKey.span), .fromDevice, counter: answered + 1)
    self.toDevice = toDevice
    self.fromDevice = fromDevice
  }

  mutating func seal(_ plaintext: [UInt8]) throws -> [UInt8] { try toDevice.seal(plaintext) }

  /// EXCHANGE, in one part.
  mutating func exchange(_ plaintext: [UInt8]) throws -> [UInt8] {
    let data = try seal(plaintext)
    return [0x80, 0xC9, 0x00, 0x00, UInt8(data.count)] + data
  }

  /// EXCHANGE in parts of 255 octets.
  mutating func chainedExchange(_ plaintext: [UInt8]) throws -> [[UInt8]] {
    let data = try seal(plaintext)
    return stride(from: 0, to: data.count, by: 255).map { start in
      let part = Array(data.dropFirst(start).prefix(255))
      return [start + 255 < data.count ? 0x90 : 0x80, 0xC9, 0x00, 0x00, UInt8(part.count)] + part
    }
  }

  /// ENVELOPE, in one part.
  mutating func envelope(_ plaintext: [UInt8]) throws -> [UInt8] {
    let data = StepUpEnvelope.encode(try seal(plaintext))
    return [0x00, 0xC3, 0x00, 0x00, UInt8(data.count)] + data
  }

  /// The plaintext of an answer with its status word; that of ENVELOPE has a wrapper around it.
  mutating func open(_ answer: [UInt8]) throws -> [UInt8]? {
    let data = Array(answer.dropLast(2))
    return try fromDevice.open((try? StepUpEnvelope.sealed(in: data)) ?? data)
  }
}

/// LOAD CERT with a certificate by the first transaction's group key for another key of the vectors.
func certificate(for name: String) throws -> [UInt8] {
  let certificate = try ReaderCertificate.issue(
    to: vectorPoint(name), by: vectorKey("readerGroup"),
    time("2020-01-01T00:00:00Z")...time("2049-01-01T00:00:00Z"))
  return [0x80, 0xD1, 0, 0, UInt8(certificate.count)] + certificate
}
