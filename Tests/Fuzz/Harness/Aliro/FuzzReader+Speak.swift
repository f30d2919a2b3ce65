import AliroEngine
import VaultCrypto
import WireCoding

/// What the reader says when it does as the protocol wants, or nearly.
extension FuzzReader {
  /// Sends an APDU.
  ///
  /// - Returns: its status word; `nil` when there was no answer.
  @discardableResult
  mutating func command(_ apdu: [UInt8]) -> UInt16? {
    let step =
      setting.isNFC
      ? receive(apdu)
      : receive([0, 0, UInt8(apdu.count >> 8 & 0xFF), UInt8(apdu.count & 0xFF)] + apdu)
    follow(apdu, step)
    return step.statusWord
  }

  /// Sends a command in as many parts as it takes.
  ///
  /// - Returns: the status word of each.
  @discardableResult
  mutating func send(
    _ classOctet: UInt8, _ instruction: UInt8, _ data: [UInt8]
  ) -> [UInt16] {
    var words: [UInt16] = []
    for start in stride(from: 0, to: max(1, data.count), by: 255) {
      let part = data[start..<min(start + 255, data.count)]
      let isLast = start + 255 >= data.count
      let head = [isLast ? classOctet : classOctet | 0x10, instruction, 0, 0]
      let apdu = head + (part.isEmpty ? [] : [UInt8(part.count)] + part)
      guard let word = command(apdu) else { break }
      words.append(word)
      guard word == 0x9000 else { break }
    }
    return words
  }

  /// Fetches what is left of an answer.
  mutating func fetch(_ wanted: UInt8 = 0) {
    while awaited != nil, command([0x00, 0xC0, 0, 0, wanted]).map({ $0 >> 8 }) == 0x61 {}
  }

  /// SELECT of the expedited application, or of step-up.
  mutating func select(stepUp: Bool) {
    let identifier: [UInt8] = [0xA0, 0x00, 0x00, 0x09, 0x09, 0xAC, 0xCE, 0x55, stepUp ? 2 : 1]
    command([0x00, 0xA4, 0x04, 0x00, 0x09] + identifier + [0x00])
  }

  /// AUTH0 of a reader of a group.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - choices: bit 0 the fast form, bit 1 another ephemeral key, bits 4 and 5 the reader, bits 6
  ///     and 7 the policy.
  ///   - extra: what follows the known tags.
  mutating func beginTransaction(
    in group: AliroWorld.Group, choices: UInt8 = 0, extra: [UInt8] = []
  ) {
    let point = TransactionKeys.readerKeys[Int(choices >> 1 & 1)].publicKey.uncompressed
    let identifier = group.identifier + [UInt8](repeating: choices >> 4 & 3, count: 16)
    let transaction = [UInt8](repeating: choices, count: 16)
    let policy: UInt8 = [1, 2, 3, 3][Int(choices >> 6)]
    var data: [UInt8] = [0x41, 0x01, choices & 1, 0x42, 0x01, policy, 0x5C, 0x02, 0x01, 0x00]
    data += [0x87, 0x41] + point + [0x4C, 0x10] + transaction + [0x4D, 0x20] + identifier
    send(0x80, 0x80, data + extra)
  }

  /// AUTH1, signed by a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - choices: bit 0 the credential's key is wanted, bit 1 the certificate comes along, bit 3 a
  ///     bit of the signature is wrong.
  ///   - extra: what follows the known tags.
  /// - Returns: the status word.
  @discardableResult
  mutating func authenticate(
    with key: P256PrivateKey, choices: UInt8 = 0, extra: [UInt8] = []
  ) -> UInt16? {
    let transcript = transaction?.transcript.reader ?? []
    var signature = CountingSigner.signature(by: key, over: transcript).raw
    if choices & 8 != 0 { signature[Int(choices >> 4) * 4] ^= 1 }
    var data: [UInt8] = [0x41, 0x01, choices & 1, 0x9E, 0x40] + signature
    if choices & 2 != 0, let octets = AliroWorld.certificates.first?.octets {
      data += [0x90, 0x81, UInt8(clamping: octets.count)] + octets
    }
    return send(0x80, 0x81, data + extra).last
  }

  /// EXCHANGE.
  ///
  /// - Parameters:
  ///   - octets: the plaintext.
  ///   - damage: which octet of the ciphertext is changed, if one is.
  mutating func exchange(_ octets: [UInt8], damage: UInt8? = nil) {
    var sealed = commands?.sealed(octets) ?? octets
    if let damage, !sealed.isEmpty { sealed[Int(damage) % sealed.count] ^= 0x10 }
    plaintext = octets
    let isDamaged = damage != nil && commands != nil
    let words = send(0x80, 0xC9, sealed)
    require(!isDamaged || isOver && words.last != 0x9000, "damage ends the session")
  }

  /// ENVELOPE.
  mutating func envelope(_ request: [UInt8]) {
    let channel = stepUp ?? commands
    let sealed = channel?.sealed(request) ?? request
    let item = PlainCBOR.map([(PlainCBOR.text("data"), PlainCBOR.bytes(sealed))])
    var writer = TLVWriter()
    try? writer.append(0x53, item)
    send(0x00, 0xC3, writer.bytes)
  }

  /// A message that is no command, encrypted once there are keys.
  mutating func notify(_ protocolNumber: UInt8, _ id: UInt8, _ payload: [UInt8]) {
    let header = Self.header(protocolNumber, id, payload.count)
    guard let channel = notifications, protocolNumber != 0 else {
      followNotification(receive(header + payload))
      return
    }
    let sealed = channel.sealed(payload, header)
    notifications?.fromReader += 1
    followNotification(receive(Self.header(protocolNumber, id, sealed.count) + sealed))
  }

  /// Asks the device's side to ask something of this reader.
  mutating func ask(_ request: ReaderRequest) {
    let step = self.request(request)
    guard step.refusal == nil else { return }
    let expected: [UInt8]
    switch request {
    case .secure: expected = [2, 4, 0, 1, 0]
    case .unsecure: expected = [2, 4, 0, 1, 1]
    case .initiateRanging: expected = [2, 1, 0, 0]
    case .resumeRanging: expected = [2, 1, 1, 0]
    case .ranging(let message):
      let place = RangingMessage.Kind.allCases.firstIndex(of: message.kind) ?? 0
      expected = [1, UInt8(place + 1)] + message.payload
    }
    require(openNotification(step) == expected, "what was asked is what is sent")
  }

  static func header(_ protocolNumber: UInt8, _ id: UInt8, _ count: Int) -> [UInt8] {
    [protocolNumber, id, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
  }
}
