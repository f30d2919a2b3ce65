import SecureMemory
import Testing
import VaultCrypto

@testable import AliroEngine

/// The published transactions on the standard path, octet for octet.
@Suite struct VectorTransactionTests {
  @Test(arguments: Transaction.standard)
  func `answers what the vectors answer`(transaction: Transaction) throws {
    let vector = transaction.vector
    let session = try transaction.session()
    let start = session.start()
    if vector.selectCommand.isMissing {
      #expect(start.messages == [hexOctets("0206000c000aa508800200005c020100")])
    } else {
      #expect(start.messages.isEmpty && start.state == .awaitingSelect)
      let select = session.command(vector.selectCommand.hex)
      #expect(select.messages == [vector.selectResponse.hex])
    }
    #expect(session.state == .awaitingAuth0)
    #expect(session.fetch(vector.auth0Command.hex) == vector.auth0Response.hex)
    #expect(session.state == .awaitingAuth1)
    if !vector.loadCertCommand.isMissing {
      #expect(session.fetch(vector.loadCertCommand.hex) == vector.loadCertResponse.hex)
    }
    let auth1 = session.command(vector.auth1Command.hex)
    let answer = vector.auth1Response.hex
    #expect(auth1.messages == [vector.transport.text == "nfc" ? answer : frame(0, 1, answer)])
    #expect(auth1.statusWord == 0x9000)
    #expect(auth1.refusal == nil)
    #expect(auth1.state == .awaitingCompletion)
    #expect(auth1.events.map(\.kind) == [.readerAuthenticated, .credentialPresented])
    #expect(session.signer.transcripts == [vector.deviceTBS.hex])
    let reader = vector.input.readerIdentifier.hex
    #expect(session.memory.persistentKeys == [reader: vector.kPersistent.hex])
  }

  @Test(arguments: Transaction.standard)
  func `derives the keys of the vectors, and not the ranging key`(transaction: Transaction) throws {
    let vector = transaction.vector
    let reader = try transaction.reader()
    #expect(reader.exchange.fields.readerTranscript == vector.readerTBS.hex)
    #expect(DeviceTranscript(for: reader).bytes == vector.deviceTBS.hex)
    let group = reader.group.key.x
    #expect(KeySalt.salt(.volatile, reader.exchange, group: group) == vector.saltVolatile.hex)
    let credential = try vectorPoint("credential")
    #expect(
      KeySalt.salt(.persistent, reader.exchange, group: group, credential: credential.x)
        == vector.saltPersistent.hex)
    #expect(KeySalt.info(reader.exchange) == vector.hkdfInfo.hex)
    let secret = try AgreedSecret(with: reader)
    let keys = try secret.volatileKeys()
    #expect(try keys.octets == Array(vector.okm.hex.dropLast(32)))
    #expect(Array(vector.okm.hex.suffix(32)) == vector.ursk.hex)
    let persistentKey = try secret.persistentKey(for: credential)
    #expect(persistentKey.key.withBytes { Array(copying: $0) } == vector.kPersistent.hex)
    let isCertified = !vector.loadCertCommand.isMissing
    #expect(persistentKey.validUntil == (isCertified ? time("2049-01-01T00:00:00Z") : nil))
  }

  @Test func `frames commands and answers as the vectors do`() throws {
    let frames = Transaction.direct.vector.bleFrames
    let session = try Transaction.direct.session()
    #expect(session.start().messages == [frames.initiateAccessProtocolRKE.hex])
    #expect(session.receive(frames.auth0Request.hex).messages == [frames.auth0Response.hex])
    #expect(session.receive(frames.auth1Request.hex).messages == [frames.auth1Response.hex])
    let approach = try Transaction.direct.session(transport: ble(.approach))
    #expect(approach.start().messages == [frames.initiateAccessProtocol.hex])
  }

  @Test func `asks the reader to unsecure as the vectors do, and reports the result`() throws {
    let transaction = Transaction.direct
    let messages = transaction.vector.bleMessages
    let session = try transaction.session()
    transaction.afterAuth1(session)
    let completed = session.receive(messages[0].wire.hex)
    #expect(completed.messages == [messages[1].wire.hex])
    #expect(completed.events.map(\.kind) == [.accessProtocolCompleted])
    #expect(completed.events.first?.detail == "secured")
    #expect(completed.state == .awaitingStatus)
    var reader = try transaction.channel()
    _ = try reader.seal(3, messages[0].payload.hex)
    let result = session.receive(try reader.seal(2, [0, 2, 0, 1]))
    #expect(result.events.map(\.kind) == [.accessGranted])
    #expect(result.events.first?.detail == "unsecured")
    #expect(result.state == .finished)
    #expect(result.messages.isEmpty)
  }

  @Test func `begins ranging as the vectors do`() throws {
    let transaction = Transaction.direct
    let messages = transaction.vector.bleMessages
    let session = try transaction.session(transport: ble(.approach))
    transaction.afterAuth1(session)
    #expect(session.receive(messages[0].wire.hex).state == .accepted)
    var reader = try transaction.channel()
    _ = try reader.seal(3, messages[0].payload.hex)
    // The vectors' message is the device's second; ranging without a key makes it send a first.
    let refused = session.receive(try reader.seal(1, [0, 0], protocolNumber: 1))
    #expect(refused.messages.count == 1 && refused.ranging.isEmpty)
    #expect(session.fetch(transaction.vector.exchangeCommand.hex).suffix(2) == [0x90, 0])
    #expect(session.request(.initiateRanging).messages == [messages[2].wire.hex])
  }

  @Test func `answers EXCHANGE as the vectors do`() throws {
    let vector = Transaction.direct.vector
    let session = try Transaction.direct.session()
    Transaction.direct.afterAuth1(session)
    #expect(session.fetch(vector.exchangeCommand.hex) == vector.exchangeResponse.hex)
    #expect(session.state == .awaitingCompletion)
  }

  @Test func `salts the channel with every version that the reader lists`() throws {
    let transaction = Transaction.direct
    let keys = transaction.vector.bleKeysIfReaderListsVersions0100And0009
    let session = try transaction.session(
      transport: .ble(readerVersions: [1, 0, 0, 9], version: [1, 0], intent: .unsecure))
    transaction.afterAuth1(session)
    var reader = try ReaderChannel(
      readerKey: keys.bleSKReader.hex, deviceKey: keys.bleSKDevice.hex)
    let completed = session.receive(try reader.seal(3, [0, 2, 0x20, 0]))
    let request = try #require(completed.messages.first)
    #expect(try reader.open(request) == [0, 1, 1])
  }

  @Test func `refuses the channel keys that are believed wrong`() throws {
    let transaction = Transaction.direct
    let keys = transaction.vector.bleKeysIfSaltWere32ZeroBytes
    let session = try transaction.session()
    transaction.afterAuth1(session)
    var reader = try ReaderChannel(
      readerKey: keys.bleSKReader.hex, deviceKey: keys.bleSKDevice.hex)
    let step = session.receive(try reader.seal(3, [0, 2, 0x20, 0]))
    #expect(step.state == .failed)
    #expect(step.refusal?.code == .protocolError)
    #expect(step.messages.isEmpty)
  }

  @Test func `takes a certificate in AUTH1 as it takes a loaded one`() throws {
    let transaction = Transaction.certified
    let vector = transaction.vector
    let certificate = try CommandAPDU(vector.loadCertCommand.hex).data
    let fields = try CommandAPDU(vector.auth1Command.hex).data
    let session = try transaction.started()
    _ = session.command(vector.auth0Command.hex)
    let data = fields + [0x90, 0x81, UInt8(certificate.count)] + certificate
    let step = session.command([0x80, 0x81, 0, 0, UInt8(data.count)] + data)
    #expect(step.messages == [frame(0, 1, vector.auth1Response.hex)])
  }

  @Test func `signs with the credential's own key when it is asked to`() throws {
    let transaction = Transaction.direct
    let signer = try SpySigner()
    let session = try transaction.session(signer: signer)
    transaction.beforeAuth1(session)
    let step = session.command(transaction.vector.auth1Command.hex)
    let answer = try #require(step.messages.first)
    var expedited = try SecureChannel(
      key: SecretBytes(copying: transaction.vector.expeditedSKDevice.hex.span), .fromDevice)
    let sealed = Array(answer.dropFirst(4).dropLast(2))
    let plaintext = try #require(try expedited.open(sealed))
    let signature = try P256Signature(raw: Array(plaintext[69..<133]).span)
    let transcript = transaction.vector.deviceTBS.hex
    let isValid = signer.publicKey.isValidSignature(signature, message: transcript.span)
    #expect(isValid)
    #expect(Array(plaintext[2..<67]) == signer.publicKey.uncompressed)
  }

  @Test(arguments: Vector.all.keySlots.list.map(\.publicKey.text))
  func `names a key slot by SHA-1`(text: String) throws {
    let expected = Vector.all.keySlots.list.first { $0.publicKey.text == text }
    let octets = hexOctets(text)
    #expect(Array(SHA1.hash(octets.span).prefix(8)) == expected?.keySlot.hex)
  }
}
