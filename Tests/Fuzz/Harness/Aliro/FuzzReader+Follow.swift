import AliroEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// An answer of which parts may still be due.
struct AwaitedAnswer {
  let instruction: UInt8
  /// The whole data of the command.
  let command: [UInt8]
  /// The channel it is encrypted on, and its number there.
  let channel: (key: [UInt8], counter: UInt32)?
  /// The tags of what the command's data decrypts to.
  let tags: [TLVTag]
  var octets: [UInt8] = []
}

/// What becomes of commands: the reader keeps up with the session, whoever made the command, and
/// opens every answer.
extension FuzzReader {
  /// Follows a command.
  mutating func follow(_ apdu: [UInt8], _ step: PresentationStep) {
    guard let word = step.statusWord, word == 0x9000 || word >> 8 == 0x61, apdu.count >= 4 else {
      (chained, awaited) = ([], nil)
      return
    }
    let data = apdu.count > 5 ? Array(apdu[5..<min(apdu.count, 5 + Int(apdu[4]))]) : []
    let part = answer(step)
    if apdu[1] == 0xC0, awaited != nil {
      awaited?.octets += part
    } else if apdu[0] & 0x10 != 0 {
      chained += data
      return require(part.isEmpty, "a part is answered by nothing but success")
    } else {
      // Selecting an application drops what came of another command.
      begin(apdu[1], apdu[1] == 0xA4 ? data : chained + data, step)
      chained = []
    }
    guard word == 0x9000, let whole = awaited else { return }
    awaited = nil
    finish(whole, step)
  }

  /// The data of an answer.
  private func answer(_ step: PresentationStep) -> [UInt8] {
    Array((step.messages.first ?? []).dropFirst(setting.isNFC ? 0 : 4).dropLast(2))
  }

  /// A whole command was taken.
  private mutating func begin(
    _ instruction: UInt8, _ data: [UInt8], _ step: PresentationStep
  ) {
    var channel: (key: [UInt8], counter: UInt32)?
    if instruction == 0xC3, let stepUp {
      // Over BLE step-up begins with its first command.
      (commands, self.stepUp) = (stepUp, nil)
    }
    if instruction == 0xC9 || instruction == 0xC3, let current = commands {
      channel = (current.deviceKey, current.fromDevice)
      commands?.fromReader += 1
      commands?.fromDevice += 1
    }
    if instruction == 0x80 { transactions += 1 }
    let tags = (try? TLVReader.elements(in: plaintext.span))?.map(\.tag) ?? []
    if instruction == 0xC9, channel != nil, tags.contains(0x98) { hasRangingKey = true }
    awaited = AwaitedAnswer(
      instruction: instruction, command: data, channel: channel, tags: tags, octets: answer(step))
    apply(step, instruction)
  }

  /// Makes changes durable, as the vault would before it sends the answer.
  private mutating func apply(_ step: PresentationStep, _ instruction: UInt8) {
    for change in step.changes {
      switch change {
      case .persistentKey(let key):
        require(instruction == 0x81, "AUTH1 makes the persistent key")
        memory.keys[key.readerIdentifier] = key.key.withBytes { copy($0) }
      case .mailbox(let writes):
        require(instruction == 0xC9, "EXCHANGE writes the mailbox")
        require(setting.mailbox?.isWritable == true, "a mailbox that may be written")
        for write in writes {
          let range = write.offset..<write.offset + write.octets.count
          require(memory.contents.map { range.upperBound <= $0.count } == true, "within it")
          memory.contents?.replaceSubrange(range, with: write.octets)
          look(write.octets)
        }
      }
    }
  }

  /// A whole answer has come.
  private mutating func finish(_ whole: AwaitedAnswer, _ step: PresentationStep) {
    switch whole.instruction {
    case 0xA4: selected(whole)
    case 0x80: finishAuth0(whole)
    case 0xD1:
      certificate = AliroWorld.certificates.first { $0.octets == whole.command }
      hasLoaded = true
      require(whole.octets.isEmpty, "a certificate is taken in silence")
    case 0x81: finishAuth1(whole)
    case 0xC9: finishExchange(whole, step)
    case 0xC3: finishEnvelope(whole)
    default: require(whole.octets.isEmpty, "other commands have no data to answer")
    }
  }

  private mutating func selected(_ whole: AwaitedAnswer) {
    require(setting.isNFC, "BLE has no SELECT")
    let isStepUp = whole.command.last == 2
    let end: [UInt8] =
      isStepUp ? [0xA5, 4, 0x80, 2, 0, 0] : [0xA5, 8, 0x80, 2, 0, 0, 0x5C, 2, 1, 0]
    let name = [0x84, 0x09] + whole.command
    require(whole.octets == [0x6F, UInt8(name.count + end.count)] + name + end, "the application")
    guard isStepUp else { return drop() }
    (commands, stepUp) = (stepUp, nil)
  }

  private mutating func finishEnvelope(_ whole: AwaitedAnswer) {
    guard let plaintext = open(envelope: whole) else {
      // Without the reader's private key there is nothing to see.
      return require(commands == nil, "an envelope that opens")
    }
    look(plaintext)
    require(plaintext.starts(with: [0xA3, 0x61, 0x31, 0x63]), "a device response")
    require([0, 10, 11, 12].contains(plaintext.last), "its status")
  }

  /// `53 <CBOR {"data": bstr}>`, decrypted.
  private func open(envelope whole: AwaitedAnswer) -> [UInt8]? {
    guard let channel = whole.channel,
      let elements = try? TLVReader.elements(in: whole.octets.span), elements.count == 1,
      elements[0].tag == 0x53
    else { return nil }
    let value = Array(whole.octets[elements[0].value])
    let head = PlainCBOR.map([(PlainCBOR.text("data"), [])])
    for size in [1, 2, 3, 5] where value.count > head.count + size {
      let sealed = Array(value[(head.count + size)...])
      guard value == head + PlainCBOR.bytes(sealed) else { continue }
      return FuzzChannel.open(sealed, channel.key, FuzzChannel.nonce(1, channel.counter))
    }
    return nil
  }

  private mutating func finishExchange(_ whole: AwaitedAnswer, _ step: PresentationStep) {
    guard let channel = whole.channel else { return }
    guard
      let plaintext = FuzzChannel.open(
        whole.octets, channel.key, FuzzChannel.nonce(1, channel.counter))
    else { return require(false, "an answer that opens") }
    look(plaintext)
    let result = plaintext.suffix(4)
    require(
      [[0, 2, 0, 0], [0, 2, 0xFF, 0xFF]].contains(Array(result)), "an answer ends with its result")
    if result.last == 0xFF { require(plaintext.count == 4, "nothing is read out of range") }
    var offset = 0
    while offset + 2 <= plaintext.count {
      offset += 2 + Int(plaintext[offset]) << 8 + Int(plaintext[offset + 1])
    }
    require(offset == plaintext.count, "reads have their length")
    let isReported = whole.tags.contains(0x97)
    require(!isReported || setting.isNFC && isOver, "the reader's status ends it over NFC")
    require(!whole.tags.contains(0x81), "documents are not updated")
  }

  // MARK: - Notifications

  /// Follows what became of a message that is no command.
  mutating func followNotification(_ step: PresentationStep) {
    guard let opened = openNotification(step) else { return }
    let isRequest = step.state == .awaitingStatus && opened.starts(with: [2, 4])
    require(isRequest || opened == [2, 0, 1, 1, 3], "a request, or that ranging cannot be")
  }

  /// What a message of the device says: protocol, id and payload.
  mutating func openNotification(_ step: PresentationStep) -> [UInt8]? {
    guard step.statusWord == nil, let message = step.messages.first else { return nil }
    guard let channel = notifications else {
      require(transaction == nil || transaction?.agreed == nil, "notifications are encrypted")
      return nil
    }
    notifications?.fromDevice += 1
    let header = Self.header(message[0], message[1], message.count - 4 - 16)
    let opened = FuzzChannel.open(
      Array(message[4...]), channel.deviceKey, FuzzChannel.nonce(1, channel.fromDevice), header)
    require(opened != nil, "a notification that opens")
    look(opened ?? [])
    return [message[0], message[1]] + (opened ?? [])
  }
}
