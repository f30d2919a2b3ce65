import AliroEngine
import VaultCrypto
import WireCoding

/// AUTH0 and AUTH1: the reader derives the keys, and judges what the device says of itself.
extension FuzzReader {
  mutating func finishAuth0(_ whole: AwaitedAnswer) {
    let fields = Self.fields(whole.command)
    let answer = Self.fields(whole.octets)
    let device = FuzzKeys.ephemeral[(keys.count - 1) % FuzzKeys.ephemeral.count]
    require(keys.count == transactions, "an ephemeral key for each transaction")
    require(answer[0x86]?.value == device.publicKey.uncompressed, "the key that was made")
    let transaction = TransactionKeys(
      readerIdentifier: fields[0x4D]?.value ?? [],
      transactionIdentifier: fields[0x4C]?.value ?? [],
      flags: (fields[0x41]?.value ?? []) + (fields[0x42]?.value ?? []),
      vendorExtension: fields[0xB1]?.encoding ?? [], readerPoint: fields[0x87]?.value ?? [],
      deviceKey: device, interface: setting.isNFC ? 0x5E : 0xC3)
    self.transaction = transaction
    if transaction.flags.last == 3 { demands += 1 }
    require(demands <= (setting.isConfirmed ? 1 : 0), "users confirm what they must, each time")
    let isFast = transaction.flags.first == 1
    require((answer[0x9D]?.value.count ?? 0) == (isFast ? 64 : 0), "a cryptogram when asked for")
    require(answer.count == (isFast ? 2 : 1), "nothing else")
    guard isFast else { return }
    begin(fast: transaction, answer[0x9D]?.value ?? [])
  }

  /// The fast form is real exactly when the key is known, and everything else in order.
  private mutating func begin(fast transaction: TransactionKeys, _ cryptogram: [UInt8]) {
    let key = memory.isFailing ? nil : memory.keys[transaction.readerIdentifier]
    guard let key, let group = transaction.group else {
      return require(state == .awaitingAuth1, "a decoy leads nowhere")
    }
    let block = transaction.block("VolatileFast", from: key, of: group)
    watch(block + [key])
    let opened = FuzzChannel.open(cryptogram, block[0], [UInt8](repeating: 0, count: 12))
    guard isUsable else {
      require(state == .awaitingAuth1 && opened == nil, "what may not be used is not")
      return
    }
    require(state == .awaitingCompletion, "a known reader is known")
    require(opened?.count == 48 && opened?.starts(with: [0x5E, 2]) == true, "a cryptogram opens")
    commands = FuzzChannel(readerKey: block[1], deviceKey: block[2])
    beginNotifications(block[3])
  }

  /// Whether the credential may be used at this time.
  var isUsable: Bool {
    let document = AliroWorld.passes[setting.pass].document
    return !setting.isRefused && document.validFrom <= moment.time
      && moment.time <= document.validUntil
  }

  private mutating func beginNotifications(_ root: [UInt8]) {
    guard !setting.isNFC else { return }
    let channel = FuzzChannel(root: root, salt: setting.versions + [1, 0], label: "BleSK")
    watch([channel.readerKey, channel.deviceKey])
    notifications = channel
  }

  mutating func finishAuth1(_ whole: AwaitedAnswer) {
    guard let transaction, let group = transaction.group else {
      return require(false, "only readers of a known group get so far")
    }
    require(isUsable, "a credential is shown while it may be")
    checkProof(Self.fields(whole.command), transaction, group)
    require(signer.transcripts.last == transaction.transcript.device, "the transcript is signed")
    guard let (shared, key) = transaction.agreed else {
      (commands, stepUp, notifications) = (nil, nil, nil)
      return
    }
    let block = transaction.block("Volatile****", from: key, of: group)
    let persistent = transaction.block("Persistent**", from: key, of: group, count: 1)
    let stepUp = FuzzChannel(root: block[2], salt: [], label: "SK")
    watch([shared, key] + block + persistent + [stepUp.readerKey, stepUp.deviceKey])
    look(whole.octets)
    require(memory.keys[transaction.readerIdentifier] == persistent[0], "Kpersistent is kept")
    var commands = FuzzChannel(readerKey: block[0], deviceKey: block[1])
    let answer = FuzzChannel.open(whole.octets, block[1], FuzzChannel.nonce(1, 1))
    require(answer != nil, "an answer that opens")
    look(answer ?? [])
    checkCredential(Self.fields(answer ?? []), whole, transaction)
    commands.fromDevice = 2
    (self.commands, self.stepUp) = (commands, stepUp)
    beginNotifications(block[3])
  }

  /// The credential has signed: the reader must have signed before, with a key that its group vouches
  /// for, as far as the harness can judge for itself.
  private mutating func checkProof(
    _ fields: [UInt16: (value: [UInt8], encoding: [UInt8])], _ transaction: TransactionKeys,
    _ group: AliroWorld.Group
  ) {
    if let octets = fields[0x90]?.value {
      certificate = AliroWorld.certificates.first { $0.octets == octets }
      require(certificate != nil, "no certificate but those that were issued")
    }
    let signature = (fields[0x9E]?.value).flatMap { try? P256Signature(raw: $0.span) }
    let key = certificate?.key ?? group.key.publicKey
    require(certificate == nil || group.certifiesReaders, "a certificate of the reader's own group")
    let isSigned = signature.map {
      CountingSigner.isValid($0, by: key, over: transaction.transcript.reader)
    }
    require(isSigned == true, "no signature before the reader's")
  }

  private func checkCredential(
    _ fields: [UInt16: (value: [UInt8], encoding: [UInt8])], _ whole: AwaitedAnswer,
    _ transaction: TransactionKeys
  ) {
    let wantsKey = Self.fields(whole.command)[0x41]?.value == [1]
    let point = CountingSigner.key.publicKey.uncompressed
    require(fields[0x5A]?.value == (wantsKey ? point : nil), "the key when it is wanted")
    require((fields[0x4E]?.value.count ?? 0) == (wantsKey ? 0 : 8), "else its slot")
    let own = CountingSigner.signature(by: CountingSigner.key, over: transaction.transcript.device)
    require(fields[0x9E]?.value == own.raw, "the credential's signature")
    require(fields[0x5E]?.value.count == 2 && fields[0x91]?.value.count == 20, "what it has")
    require((fields[0x92] != nil) == (setting.pass > 0), "its revocation document")
  }

  /// The elements of some data by tag, the first of each.
  static func fields(_ data: [UInt8]) -> [UInt16: (value: [UInt8], encoding: [UInt8])] {
    let elements = (try? TLVReader.elements(in: data.span)) ?? []
    return elements.reduce(into: [:]) { fields, element in
      guard fields[element.tag.rawValue] == nil else { return }
      fields[element.tag.rawValue] = (Array(data[element.value]), Array(data[element.encoding]))
    }
  }
}
