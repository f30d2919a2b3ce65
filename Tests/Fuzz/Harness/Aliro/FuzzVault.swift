import AliroEngine
import SecureMemory
import Synchronization
import VaultCrypto
import WireCoding

/// The vault's keys for a transaction: the vectors' ephemeral keys in turn, so that what they agree
/// on is known.
final class FuzzKeys: SessionKeySource {
  static let ephemeral = (1...3).map { Vectors.aliro.key("deviceEphemeral\($0)") }
  static let decoy = [UInt8](repeating: 0xDE, count: 32)

  private let taken = Mutex(0)

  /// How many ephemeral keys were made.
  var count: Int { taken.withLock { $0 } }

  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey {
    taken.withLock { taken in
      taken += 1
      return Self.ephemeral[(taken - 1) % Self.ephemeral.count]
    }
  }

  func makeDecoyKey() throws(AliroError) -> SecretBytes { try FuzzMemory.secret(Self.decoy) }
}

/// What the credential keeps, in plain memory.
final class FuzzMemory: PresentationMemory {
  var keys: [[UInt8]: [UInt8]] = [:]
  var contents: [UInt8]?
  /// Whether nothing can be read.
  var isFailing = false

  init(_ mailbox: MailboxSettings?) {
    contents = mailbox.map { [UInt8](repeating: 0, count: $0.size) }
  }

  func persistentKey(
    of readerIdentifier: [UInt8], at time: Timestamp
  ) throws(AliroError) -> SecretBytes? {
    if isFailing { throw .refused(Refusal(.damaged, "unreadable")) }
    guard let key = keys[readerIdentifier] else { return nil }
    return try Self.secret(key)
  }

  func mailbox() throws(AliroError) -> [UInt8]? {
    if isFailing { throw .refused(Refusal(.damaged, "unreadable")) }
    return contents
  }

  static func secret(_ octets: [UInt8]) throws(AliroError) -> SecretBytes {
    do { return try SecretBytes(copying: octets.span) } catch {
      throw .refused(Refusal(.busy, "no memory"))
    }
  }
}

/// What a session is opened with, chosen by an octet.
struct FuzzSetting {
  let isNFC: Bool
  let intent: PresentationIntent
  let isConfirmed: Bool
  let isRefused: Bool
  let pass: Int
  let versions: [UInt8]

  init(_ octet: UInt8) {
    isNFC = octet & 1 != 0
    intent = [.unsecure, .secure, .approach, .approach][Int(octet >> 1 & 3)]
    isConfirmed = octet & 8 != 0
    isRefused = octet & 0x78 == 0x70
    pass = Int(octet >> 5 & 3)
    versions = octet & 0x80 == 0 ? [1, 0] : [1, 0, 0, 9]
  }

  /// What the device says before the reader does.
  var firstMessages: [[UInt8]] {
    let initiate: [UInt8] = [2, intent == .approach ? 5 : 6, 0, 12, 0, 10]
    return isNFC ? [] : [initiate + [0xA5, 8, 0x80, 2, 0, 0, 0x5C, 2, 1, 0]]
  }

  var mailbox: MailboxSettings? { AliroWorld.mailboxes[pass] }

  func presentation(_ signer: CountingSigner, _ keys: FuzzKeys) -> AliroPresentation {
    let transport: PresentationTransport =
      isNFC ? .nfc : .ble(readerVersions: versions, version: [1, 0], intent: intent)
    let credential =
      isRefused
      ? PresentedCredential.refused(Refusal(.passMissing, "no pass"))
      : AliroWorld.credential(signer, pass: pass)
    do {
      return AliroPresentation(
        configuration: try PresentationConfiguration(
          transport: transport, credential: credential, keys: keys,
          userAuthentication: isConfirmed ? .confirmed : .refused))
    } catch {
      fatalError("the setting is refused: \(error)")
    }
  }
}
