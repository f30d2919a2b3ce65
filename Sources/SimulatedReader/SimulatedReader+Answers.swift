import AliroEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// What the lock makes of the device's messages; each gives the words for a person.
extension SimulatedReader {
  /// The response APDU in a message.
  func unframed(_ message: [UInt8]) throws(ReaderFault) -> [UInt8] {
    guard plan.transport == .ble else { return message }
    let frame = try parsed(message)
    guard frame.protocolNumber == 0, frame.id == 1 else {
      throw .refused("Something else came where an answer belongs.")
    }
    return frame.payload
  }

  /// The first message over BLE: the versions that the device speaks.
  func take(initiate message: [UInt8]) throws(ReaderFault) -> String {
    let frame = try parsed(message)
    let payload = BLEAttributes.encode(0, ProprietaryInformation.encoded)
    guard frame.protocolNumber == 2, frame.id == 6, frame.payload == payload else {
      throw .refused("The device does not begin with version 1.0 of the protocol.")
    }
    return Self.initiateWords
  }

  /// The request of the device, once its credential is accepted.
  func take(request message: [UInt8]) throws(ReaderFault) -> String {
    let sealed = try parsed(message)
    let opened = try refusing("The request of the device does not decrypt.") {
      guard let opened = try notifications?.open(sealed) else { throw Self.noKeys }
      return opened
    }
    guard opened == plan.action.request else {
      throw .refused("The device asks for something else than it was opened for.")
    }
    return requestWords
  }

  /// The data of a successful answer.
  func take(_ data: [UInt8], _ stage: Stage) throws(ReaderFault) -> String {
    switch stage {
    case .select:
      guard data == ApplicationIdentifier.expedited.controlInformation else {
        throw Self.unknownCard
      }
      return Self.selectedWords
    case .selectStepUp:
      guard data == ApplicationIdentifier.stepUp.controlInformation else { throw Self.unknownCard }
      return Self.stepUpSelectedWords
    case .auth0: return try take(auth0: data)
    case .loadCertificate: return Self.certificateWords
    case .auth1: return try take(auth1: data)
    case .envelope:
      let sealed = try refusing("The answer is no envelope.") {
        try StepUpEnvelope.sealed(in: data)
      }
      return try take(document: try open(answer: sealed))
    case .report:
      guard try open(answer: data) == ExchangeResult.success.encoded else {
        throw .refused("The device does not take the lock's report.")
      }
      return Self.reportedWords
    case .initiate, .completed, .status: throw Self.noKeys
    }
  }

  private func take(auth0 data: [UInt8]) throws(ReaderFault) -> String {
    let fields = try Self.fields(data)
    let point = fields[0x86] ?? []
    let meeting = Meeting(
      door: door, credential: credential, interface: plan.transport == .nfc ? .nfc : .ble,
      command: try known(auth0), ephemeralKey: ephemeralKey,
      deviceKey: try refusing("The device's key for this meeting is none.") {
        try P256PublicKey(uncompressed: point.span)
      })
    self.meeting = meeting
    guard let persistentKey else { return Self.auth0Words }
    let keys = try meeting.keys(.volatileFast, from: persistentKey.key)
    let cryptogram = fields[0x9D] ?? []
    let nonce = [UInt8](repeating: 0, count: 12)
    let plaintext = try refusing("The cryptogram is not made with the key of the last meeting.") {
      try AESGCM(key: keys.key(0)).open(
        cryptogram.span, nonce: nonce.span, associatedData: [UInt8]().span)
    }
    guard plaintext.count == 48 else { throw .refused("The cryptogram is cut short.") }
    try setChannels(keys, firstKey: 1)
    return Self.fastWords
  }

  private func take(auth1 data: [UInt8]) throws(ReaderFault) -> String {
    let meeting = try known(meeting)
    let agreed = try meeting.agreedKey()
    let keys = try meeting.keys(.volatile, from: agreed)
    try setChannels(keys, firstKey: 0)
    try computing {
      stepUp = try ChannelPair(root: keys.key(2), salt: [], label: "SK", of: .fromReader)
    }
    let fields = try Self.fields(try open(answer: data))
    guard fields[0x5A] == credential.uncompressed else {
      throw .refused("The device has another credential than the pass is for.")
    }
    let raw = fields[0x9E] ?? []
    let signature = try refusing("The device's signature is none.") {
      try P256Signature(raw: raw.span)
    }
    let transcript = meeting.fields.deviceTranscript
    guard credential.isValidSignature(signature, message: transcript.span) else {
      throw .refused("The device's signature does not verify.")
    }
    try computing {
      persistentKey = PersistentKey(
        readerIdentifier: door.readerIdentifier,
        key: try meeting.keys(.persistent, from: agreed).key(0), validUntil: nil)
    }
    return Self.auth1Words
  }

  private func take(document response: [UInt8]) throws(ReaderFault) -> String {
    let document = try refusing("The device shows no access document.") {
      let item = try CBORDecoder.decode(response)["2"]?.array?.first
      return try AccessDocument(item.map { Array(response[$0.encoding]) } ?? [])
    }
    guard document.isSigned(by: door.issuerKey), document.deviceKey == credential else {
      throw .refused("The access document is not the issuer's for this credential.")
    }
    let rules = document.summary.flatMap(\.rules).joined(separator: "; ")
    return documentWords(rules, until: document.validUntil)
  }

  /// The channels of a block of keys: two for commands at `firstKey`, and BleSK, which is the fourth
  /// of either block.
  private func setChannels(_ keys: borrowing KeyBlock, firstKey: Int) throws(ReaderFault) {
    try computing {
      commands = try ChannelPair(
        readerKey: keys.key(firstKey), deviceKey: keys.key(firstKey + 1), of: .fromReader)
      if plan.transport == .ble {
        notifications = try BLEChannel(
          root: keys.key(3), salt: Self.versions + Self.version, of: .fromReader)
      }
    }
  }

  private func open(answer sealed: [UInt8]) throws(ReaderFault) -> [UInt8] {
    let plaintext = try computing { try commands?.open(sealed) }
    guard let plaintext else { throw .refused("The answer does not decrypt.") }
    return plaintext
  }

  private func parsed(_ message: [UInt8]) throws(ReaderFault) -> BLEMessage {
    try refusing("The device's message is not framed as it should be.") {
      try BLEMessage(message.span)
    }
  }

  /// The elements of an answer, by tag.
  private static func fields(_ data: [UInt8]) throws(ReaderFault) -> [TLVTag: [UInt8]] {
    try refusing("The answer is not made of elements.") {
      Dictionary(
        try TLVReader.elements(in: data.span).map { ($0.tag, Array(data[$0.value])) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  private static let unknownCard = ReaderFault.refused("The device does not speak version 1.0.")
}
