package import AliroEngine
import SecureMemory
package import VaultCrypto
import WireCoding

/// The lock's side of one transaction: messages of the device go in, its own come out, and each is
/// explained.
///
/// It takes nothing on trust: what the device says is decrypted, verified and compared, and anything
/// but the right thing is a ``ReaderFault``.
package final class SimulatedReader {
  /// The BLE protocol versions that the lock offers: 1.0.
  package static let versions: [UInt8] = [0x01, 0x00]
  /// The one that is chosen from them.
  package static let version: [UInt8] = [0x01, 0x00]
  /// The most octets of an answer in parts.
  private static let answerLimit = 64 << 10

  /// All that was said so far.
  package private(set) var steps: [SimulatedStep] = []
  /// Kpersistent, once the standard form has made it: for the next, fast transaction.
  package internal(set) var persistentKey: PersistentKey?

  let door: SimulatedDoor
  let credential: P256PublicKey
  let plan: MeetingPlan
  /// Whether there was a key to ask for the fast form with.
  package let isFast: Bool
  let ephemeralKey: P256PrivateKey
  let transactionIdentifier = SecureRandom.bytes(16)

  var auth0: Auth0Command?
  var meeting: Meeting?
  /// EXCHANGE and ENVELOPE, in the expedited phase and then in step-up.
  var commands: ChannelPair?
  var stepUp: ChannelPair?
  var notifications: BLEChannel?

  private var stages: ArraySlice<Stage>
  /// What the device is to answer.
  private var current: Stage?
  /// The parts that came of an answer in several.
  private var parts: [UInt8] = []

  /// Makes a lock that waits for the device.
  ///
  /// - Parameters:
  ///   - door: whose lock it is.
  ///   - credential: the credential that may enter.
  ///   - plan: what is to happen.
  ///   - persistentKey: Kpersistent of a transaction before, to ask for the fast form.
  /// - Throws: ``ReaderFault/computation(_:)``.
  package init(
    door: SimulatedDoor, credential: P256PublicKey, plan: MeetingPlan,
    persistentKey: PersistentKey? = nil
  ) throws(ReaderFault) {
    isFast = persistentKey != nil
    self.door = door
    self.credential = credential
    self.plan = plan
    self.persistentKey = persistentKey
    stages = plan.stages(isFast: isFast, hasCertificate: door.certificate != nil)[...]
    current = plan.transport == .ble ? .initiate : nil
    ephemeralKey = try computing { try P256PrivateKey.generate() }
  }

  /// Hears the device, and says what comes next.
  ///
  /// - Parameter message: what the device says; `nil` over NFC, where the lock begins.
  /// - Returns: the lock's next message; `nil` when it has no more to say.
  /// - Throws: ``ReaderFault``; the steps tell of the message that caused it.
  package func receive(_ message: [UInt8]?) throws(ReaderFault) -> [UInt8]? {
    // The last word is the lock's.
    if let current, current != .status {
      guard let message else { throw .refused("The device says nothing more.") }
      do {
        guard let words = try understand(message, current) else {
          tell(.device, "part of the answer", "More is to come.", message)
          return say("GET RESPONSE", "The lock asks for the rest.", [0x00, 0xC0, 0, 0, 0])
        }
        tell(.device, current.answerName, words, message)
      } catch {
        tell(.device, current.answerName, "The lock goes no further.", message)
        throw error
      }
    }
    guard let next = stages.popFirst() else { return nil }
    current = next
    let octets = try self.message(for: next)
    tell(.lock, next.name, words(for: next), octets)
    return octets
  }

  /// What a message of the device turns out to be; `nil` when it is a part of an answer.
  private func understand(_ message: [UInt8], _ stage: Stage) throws(ReaderFault) -> String? {
    switch stage {
    case .initiate: return try take(initiate: message)
    case .completed: return try take(request: message)
    default: break
    }
    let answer = try unframed(message)
    guard answer.count >= 2 else { throw .refused("The answer has no status word.") }
    let word = answer.suffix(2)
    parts += answer.dropLast(2)
    if word.first == 0x61, answer.count > 2, parts.count < Self.answerLimit { return nil }
    guard word.elementsEqual([0x90, 0x00]) else {
      throw .refused("The device answers with the status word \(Hex.encode(Array(word).span)).")
    }
    defer { parts = [] }
    return try take(parts, stage)
  }

  private func say(_ name: String, _ words: String, _ apdu: [UInt8]) -> [UInt8] {
    let octets = framed(apdu)
    tell(.lock, name, words, octets)
    return octets
  }

  private func tell(
    _ speaker: SimulatedStep.Speaker, _ name: String, _ words: String, _ octets: [UInt8]
  ) {
    steps.append(SimulatedStep(speaker: speaker, name: name, words: words, octets: octets))
  }
}
