import SecureMemory
import Synchronization
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// An ephemeral key of the vectors, as often as it is asked for.
struct FixedEphemeralKey: SessionKeySource {
  let key: P256PrivateKey

  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey { key }
}

extension SessionKeySource {
  /// 32 octets that are anything but random.
  func makeDecoyKey() throws(AliroError) -> SecretBytes {
    do {
      return try SecretBytes(copying: [UInt8](0..<32).span)
    } catch {
      throw .refused(Refusal(.busy, "No memory."))
    }
  }
}

/// A credential that keeps nothing.
struct NoMemory: PresentationMemory {
  func persistentKey(
    of readerIdentifier: [UInt8], at time: Timestamp
  ) throws(AliroError) -> SecretBytes? { nil }

  func mailbox() throws(AliroError) -> [UInt8]? { nil }
}

/// A source that has no key to give.
struct NoEphemeralKey: SessionKeySource {
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey {
    throw .refused(Refusal(.busy, "No memory."))
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
  private var presentation: AliroPresentation

  init(
    signer: SpySigner, trust: [ReaderGroupTrust], documents: DocumentInfo,
    keys: any SessionKeySource,
    versions: [UInt8] = [1, 0], intent: PresentationIntent = .unsecure, refusal: Refusal? = nil
  ) throws {
    self.signer = signer
    let usable = UsableCredential(signer: signer, trust: trust, documents: documents)
    presentation = AliroPresentation(
      configuration: try PresentationConfiguration(
        transport: .ble(readerVersions: versions, version: [1, 0], intent: intent),
        credential: refusal.map { .refused($0) } ?? .usable(usable), keys: keys,
        userAuthentication: .refused))
  }

  var state: PresentationState { presentation.state }

  func start() -> PresentationStep { presentation.start(at: Moment(time: someDay, uptime: 0)) }

  func close() -> PresentationStep { presentation.close() }

  /// One message of the channel as it is.
  func receive(_ message: [UInt8], at time: Timestamp = someDay) -> PresentationStep {
    presentation.receive(
      message.span, at: Moment(time: time, uptime: 0), memory: NoMemory())
  }

  /// One command APDU, framed.
  func command(_ apdu: [UInt8], at time: Timestamp = someDay) -> PresentationStep {
    receive(frame(0, 0, apdu), at: time)
  }
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
