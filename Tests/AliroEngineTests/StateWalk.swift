import SecureMemory
import Testing
import VaultCrypto

@testable import AliroEngine

/// The radio of a walk.
enum Radio: CaseIterable {
  case ble, nfc
}

/// Where a session can stand, finer than its state.
enum Place: CaseIterable {
  case ready, awaitingSelect, awaitingAuth0, awaitingAuth1, certificateLoaded
  case fast, fastCertificateLoaded, awaitingCompletion, inAtomicSession, inStepUp, delivering
  case accepted, awaitingStatus, finished, failed, closed

  static func all(over radio: Radio) -> [Place] {
    let elsewhere: [Place] =
      radio == .ble ? [.awaitingSelect, .delivering] : [.accepted, .awaitingStatus]
    return allCases.filter { !elsewhere.contains($0) }
  }

  var state: PresentationState {
    switch self {
    case .ready, .awaitingAuth0: .awaitingAuth0
    case .awaitingSelect: .awaitingSelect
    case .awaitingAuth1, .certificateLoaded: .awaitingAuth1
    case .fast, .fastCertificateLoaded, .awaitingCompletion, .inAtomicSession, .inStepUp,
      .delivering:
      .awaitingCompletion
    case .accepted: .accepted
    case .awaitingStatus: .awaitingStatus
    case .finished: .finished
    case .failed: .failed
    case .closed: .closed
    }
  }

  var isOver: Bool { [.ready, .finished, .failed, .closed].contains(self) }
  var isFast: Bool { self == .fast || self == .fastCertificateLoaded }
  var hasKeys: Bool {
    switch self {
    case .fast, .fastCertificateLoaded, .awaitingCompletion, .inAtomicSession, .inStepUp,
      .accepted, .awaitingStatus:
      true
    default: false
    }
  }
}

/// A session that was brought to a place, with the reader's ends of its channels, or with channels
/// of a reader that does not have their keys.
final class StateWalk {
  let radio: Radio
  let place: Place
  let session: Session
  private let transaction: Transaction
  private var commands: ReaderCommands
  private var notifications: ReaderChannel

  init(
    to place: Place, over radio: Radio, standing: Standing = .known, withKeys hasKeys: Bool = true
  ) throws {
    self.radio = radio
    self.place = place
    let keys = radio == .ble ? Transaction.direct : .nfc
    transaction = place.isFast ? .fast : keys
    let transport = radio == .nfc ? .nfc : ble(place == .accepted ? .approach : .unsecure)
    session = try transaction.session(
      standing, transport: transport,
      mailbox: MailboxSettings(
        size: 600, isReadable: true, isWritable: true, isUsableInStepUp: true))
    let channels =
      !hasKeys
      ? Self.foreignChannels : try place.isFast ? Self.fastChannels(radio) : Self.channels(keys)
    commands = try ReaderCommands(
      readerKey: channels.0, deviceKey: channels.1, answered: place.isFast ? 0 : 1)
    notifications = try ReaderChannel(readerKey: channels.2, deviceKey: channels.3)
    try walk()
  }

  private typealias Keys = ([UInt8], [UInt8], [UInt8], [UInt8])

  private static let foreignChannels: Keys = {
    let key = [UInt8](repeating: 7, count: 32)
    return (key, key, key, key)
  }()

  private static func channels(_ transaction: Transaction) throws -> Keys {
    let vector = transaction.vector
    let none = [UInt8](repeating: 0, count: 32)
    return (
      vector.expeditedSKReader.hex, vector.expeditedSKDevice.hex,
      vector.bleSKReader.isMissing ? none : vector.bleSKReader.hex,
      vector.bleSKDevice.isMissing ? none : vector.bleSKDevice.hex
    )
  }

  /// The fast vectors are for BLE; over NFC the same transaction has other keys.
  private static func fastChannels(_ radio: Radio) throws -> Keys {
    guard radio == .nfc else { return try channels(.fast) }
    let vector = Transaction.fast.vector
    let exchange = Auth0Exchange(
      command: try Auth0Command(CommandAPDU(vector.auth0Command.hex).data),
      ephemeralKey: try Transaction.fast.ephemeralKey.key, interface: .nfc)
    let salt = KeySalt.salt(
      .volatileFast, exchange, group: try Transaction.fast.trust().key.x,
      credential: try vectorPoint("credential").x)
    let block = try KeyBlock(
      from: secret(vector.input.kPersistent.hex), salt: salt, info: KeySalt.info(exchange))
    func octets(_ index: Int) throws -> [UInt8] {
      try block.key(index).withBytes { Array(copying: $0) }
    }
    return (try octets(1), try octets(2), try octets(3), try octets(3))
  }

  private func walk() throws {
    guard place != .ready else { return }
    _ = session.start()
    if place == .awaitingSelect { return }
    if radio == .nfc { _ = try send(.selectExpedited) }
    switch place {
    case .awaitingAuth0: return
    case .failed: _ = try send(.unknownCommand)
    case .closed: _ = session.close()
    default:
      _ = try send(.auth0)
      try walkOn()
    }
  }

  private func walkOn() throws {
    switch place {
    case .awaitingAuth1, .fast: return
    case .certificateLoaded, .fastCertificateLoaded:
      _ = try send(.loadCertificate)
      return
    default: _ = try send(.auth1)
    }
    switch place {
    case .inAtomicSession:
      _ = session.command(try commands.exchange(hexOctets("ba098c01018a040000f1f2")))
    case .inStepUp:
      if radio == .nfc { _ = try send(.selectStepUp) }
      commands = try transaction.stepUpChannel()
      _ = session.fetch(try commands.envelope([0xA0]))
    case .delivering:
      let reading = hexOctets("ba098c0100870400000100 97020101")
      _ = session.command(try commands.exchange(reading))
    case .accepted: _ = try send(.completed)
    case .awaitingStatus: _ = try send(.completed)
    case .finished: _ = try send(radio == .nfc ? .readerStatus : .controlFlow)
    default: break
    }
  }

  /// Sends a message as it would have to be here.
  func send(_ sent: Sent) throws -> PresentationStep {
    if let notification = try notification(sent) { return session.receive(notification) }
    return session.command(try command(sent))
  }

  private func command(_ sent: Sent) throws -> [UInt8] {
    let vector = transaction.vector
    switch sent {
    case .auth0: return vector.auth0Command.hex
    case .loadCertificate: return try certificate(for: "readerCertified")
    case .auth1:
      let isCertified = [.certificateLoaded, .fastCertificateLoaded].contains(place)
      return try transaction.auth1(by: isCertified ? "readerCertified" : "readerGroup").apdu
    case .chainedAuth1: return hexOctets("9081000003410101")
    case .exchange: return try commands.exchange([])
    case .chainedExchange: return hexOctets("90c9000001ff")
    case .readerStatus: return try commands.exchange(hexOctets("97020101"))
    case .envelope:
      if place != .inStepUp { commands = try Transaction.stepUp(radio) }
      return try commands.envelope(Vector.all.stepUp.deviceRequest.hex)
    case .controlFlow: return hexOctets("803c000006410101420100")
    case .controlFlowFailure: return hexOctets("803c000006410100420100")
    case .getResponse: return hexOctets("00c0000000")
    case .getData: return hexOctets("00ca7f6800")
    case .selectOther: return hexOctets("00a4040005d27600008500")
    case .selectExpedited: return hexOctets("00a4040009a000000909acce550100")
    case .selectStepUp: return hexOctets("00a4040009a000000909acce550200")
    case .unknownCommand: return hexOctets("80ff0000")
    case .wrongClass: return hexOctets("00800000")
    case .noCommand: return [0x80]
    default: return []
    }
  }

  private func notification(_ sent: Sent) throws -> [UInt8]? {
    switch sent {
    case .clearBusy: frame(2, 0, [0, 0])
    case .clearError: frame(2, 0, [1, 1, 2])
    case .clearCompleted: frame(2, 3, [0, 2, 0x20, 0])
    case .busy: try sealed(2, 0, [0, 0])
    case .generalError: try sealed(2, 0, [1, 1, 1])
    case .completed: try sealed(2, 3, [0, 2, 0x20, 0])
    case .statusChanged: try sealed(2, 2, [0, 2, 0, 1])
    case .timeSynchronisation: try sealed(3, 0, [0, 0])
    case .ranging: try sealed(1, 1, [0, 0])
    case .rangingNotification: try sealed(2, 1, [4, 0])
    case .rkeRequest: try sealed(2, 4, [0, 1, 1])
    case .response: frame(0, 1, [0x90, 0x00])
    case .unknownProtocol: frame(5, 0, [0, 0])
    case .nothing: []
    default: nil
    }
  }

  /// A notification under the session's keys; where there are none, one under keys that are not its.
  private func sealed(_ number: UInt8, _ id: UInt8, _ payload: [UInt8]) throws -> [UInt8] {
    guard radio == .ble else { return frame(number, id, payload) }
    return try notifications.seal(id, payload, protocolNumber: number)
  }
}

/// What a reader can send.
enum Sent: CaseIterable {
  case auth0, loadCertificate, auth1, chainedAuth1, exchange, chainedExchange, readerStatus
  case envelope, controlFlow, controlFlowFailure, getResponse, getData
  case selectOther, selectExpedited, selectStepUp, unknownCommand, wrongClass, noCommand
  case clearBusy, clearError, clearCompleted
  case busy, generalError, completed, statusChanged, timeSynchronisation, ranging
  case rangingNotification, rkeRequest, response, unknownProtocol, nothing

  static let commands = allCases.filter { !notifications.contains($0) }
  static let notifications: [Sent] = [
    .clearBusy, .clearError, .clearCompleted, .busy, .generalError, .completed, .statusChanged,
    .timeSynchronisation, .ranging, .rangingNotification, .rkeRequest, .response, .unknownProtocol,
    .nothing,
  ]
}

extension Transaction {
  /// The reader's end of the step-up channel of the walk's standard transaction.
  static func stepUp(_ radio: Radio) throws -> ReaderCommands {
    try (radio == .ble ? direct : nfc).stepUpChannel()
  }
}
