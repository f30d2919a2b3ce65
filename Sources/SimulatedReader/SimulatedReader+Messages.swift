import AliroEngine
import VaultCrypto
import WireCoding

/// What the lock says.
extension SimulatedReader {
  /// The lock's message at a stage, on its transport.
  func message(for stage: Stage) throws(ReaderFault) -> [UInt8] {
    switch stage {
    case .initiate: throw .computation("The lock does not begin over BLE.")
    case .select: return framed(select(.expedited))
    case .auth0: return framed(apdu(0x80, 0x80, try auth0Data()))
    case .loadCertificate: return framed(apdu(0x80, 0xD1, door.certificate ?? []))
    case .auth1: return framed(apdu(0x80, 0x81, try auth1Data()))
    case .selectStepUp: return framed(select(.stepUp))
    case .envelope:
      // From here on ENVELOPE and EXCHANGE have keys of their own.
      commands = stepUp.take()
      let sealed = try seal(command: deviceRequest.encoded)
      return framed(apdu(0x00, 0xC3, StepUpEnvelope.encode(sealed)))
    case .report:
      // Tag 97, the reader status: success, and the state of the lock.
      return framed(apdu(0x80, 0xC9, try seal(command: [0x97, 0x02, 0x01, lockState])))
    case .completed:
      // The status is to be reported (1, in the top three bits); the bolt has not moved.
      return try notification(3, [1 << 5, lockState ^ 1])
    case .status: return try notification(2, [0, lockState])
    }
  }

  /// The state of the lock in the end: 0 secured, 1 unsecured.
  private var lockState: UInt8 { plan.action.rawValue }

  /// AUTH0 (section 4); kept as the device will read it.
  private func auth0Data() throws(ReaderFault) -> [UInt8] {
    let fields: [(TLVTag, [UInt8])] = [
      (0x41, [isFast ? 1 : 0]), (0x42, [1]), (0x5C, Auth0Command.version),
      (0x87, ephemeralKey.publicKey.uncompressed), (0x4C, transactionIdentifier),
      (0x4D, door.readerIdentifier),
    ]
    return try computing {
      var writer = TLVWriter()
      for (tag, value) in fields { try writer.append(tag, value) }
      auth0 = try Auth0Command(writer.bytes)
      return writer.bytes
    }
  }

  /// AUTH1 (section 6), which asks for the credential's whole key.
  private func auth1Data() throws(ReaderFault) -> [UInt8] {
    let transcript = try known(meeting).fields.readerTranscript
    return try computing {
      var writer = TLVWriter()
      try writer.append(0x41, [1])
      try writer.append(0x9E, try door.lock.signature(message: transcript.span).raw)
      return writer.bytes
    }
  }

  /// The request for the one element that the issuer has put into the document (section 11).
  private var deviceRequest: CBORValue {
    let type = CBORValue.text(AccessDocument.type)
    // The lock does not mean to keep it.
    let items: CBORValue = ["1": [type: [.text(IssuedDocument.element): false]], "5": type]
    return ["1": "1.0", "2": [["1": .wrapped(items)]]]
  }

  private func seal(command plaintext: [UInt8]) throws(ReaderFault) -> [UInt8] {
    try known(try computing { try commands?.seal(plaintext) })
  }

  /// A message of protocol 2 with one attribute, encrypted.
  private func notification(_ id: UInt8, _ value: [UInt8]) throws(ReaderFault) -> [UInt8] {
    let message = BLEMessage(protocolNumber: 2, id: id, payload: BLEAttributes.encode(0, value))
    return try known(try computing { try notifications?.seal(message) }).encoded
  }

  private func select(_ application: ApplicationIdentifier) -> [UInt8] {
    apdu(0x00, 0xA4, application.octets, p1: 0x04)
  }

  /// A command in short form, with Le.
  private func apdu(_ cla: UInt8, _ ins: UInt8, _ data: [UInt8], p1: UInt8 = 0) -> [UInt8] {
    [cla, ins, p1, 0, UInt8(truncatingIfNeeded: data.count)] + data + [0]
  }

  /// A command APDU on its transport.
  func framed(_ apdu: [UInt8]) -> [UInt8] {
    switch plan.transport {
    case .nfc: apdu
    case .ble: BLEMessage(protocolNumber: 0, id: 0, payload: apdu).encoded
    }
  }

  /// What the order of the stages makes sure of.
  func known<Value>(_ value: Value?) throws(ReaderFault) -> Value {
    guard let value else { throw Self.noKeys }
    return value
  }

  static var noKeys: ReaderFault { .computation("The lock has no keys yet.") }
}
