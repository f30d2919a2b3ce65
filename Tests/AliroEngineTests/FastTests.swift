import SecureMemory
import Testing
import VaultCrypto

@testable import AliroEngine

/// AUTH0's fast form: under a persistent key, and under a decoy (section 4).
@Suite struct FastTests {
  private let transaction = Transaction.fast
  private var vector: Vector { transaction.vector }

  /// A session that was answered with the cryptogram.
  private func keyed(_ transport: PresentationTransport = ble()) throws -> Session {
    let session = try transaction.session(transport: transport, memory: transaction.keptKey)
    _ = session.start()
    _ = session.command(vector.auth0Command.hex)
    #expect(session.state == .awaitingCompletion)
    return session
  }

  @Test func `answers the cryptogram of the vectors, and goes on as they do`() throws {
    let session = try transaction.session(memory: transaction.keptKey)
    _ = session.start()
    let step = session.command(vector.auth0Command.hex)
    #expect(step.messages == [frame(0, 1, vector.auth0Response.hex)])
    #expect(step.state == .awaitingCompletion)
    #expect(step.events.map(\.kind) == [.credentialPresented])
    #expect(step.changes.isEmpty)
    let exchange = session.command(vector.exchangeCommand.hex)
    #expect(exchange.messages == [frame(0, 1, vector.exchangeResponse.hex)])
    // The reader has shown that it has the key, once.
    #expect(exchange.events.map(\.kind) == [.readerAuthenticated])
    let completed = session.receive(vector.bleMessages[0].wire.hex)
    #expect(completed.messages == [vector.bleMessages[1].wire.hex])
    #expect(completed.events.map(\.kind) == [.accessProtocolCompleted])
    #expect(session.signer.transcripts.isEmpty)
    let unchanged = transaction.keptKey.persistentKeys
    #expect(session.memory.persistentKeys == unchanged)
  }

  @Test func `takes a first notification for the reader's proof as well`() throws {
    let session = try keyed()
    let completed = session.receive(vector.bleMessages[0].wire.hex)
    #expect(completed.messages == [vector.bleMessages[1].wire.hex])
    #expect(completed.events.map(\.kind) == [.readerAuthenticated, .accessProtocolCompleted])
  }

  @Test func `derives the keys of the vectors, and not the ranging key`() throws {
    let exchange = try transaction.exchange()
    let salt = KeySalt.salt(
      .volatileFast, exchange, group: try transaction.trust().key.x,
      credential: try vectorPoint("credential").x)
    #expect(salt == vector.saltVolatileFast.hex)
    #expect(KeySalt.info(exchange) == vector.hkdfInfo.hex)
    let keys = try KeyBlock(
      from: secret(vector.input.kPersistent.hex), salt: salt, info: vector.hkdfInfo.hex)
    #expect(try keys.octets == Array(vector.okm.hex.dropLast(32)))
    #expect(Array(vector.okm.hex.suffix(32)) == vector.ursk.hex)
    let report = try CredentialReport(
      of: UsableCredential(signer: SpySigner(), trust: [], documents: transaction.documents),
      memory: FakeMemory(), over: .ble)
    #expect(report.cryptogramPlaintext == vector.cryptogramPlaintext.hex)
    #expect(CredentialReport().cryptogramPlaintext.count == 48)
  }

  @Test(arguments: Standing.decoys)
  func `a decoy has the shape of the real, and opens nothing`(standing: Standing) throws {
    let session = try transaction.session(standing)
    _ = session.start()
    let step = session.command(vector.auth0Command.hex)
    let answer = try #require(step.messages.first)
    let real = frame(0, 1, vector.auth0Response.hex)
    #expect(answer.count == real.count)
    #expect(answer.prefix(4 + 67 + 2) == real.prefix(4 + 67 + 2))
    #expect(answer.suffix(2) == real.suffix(2))
    #expect(answer != real)
    #expect(step.state == .awaitingAuth1)
    #expect(step.events.isEmpty && step.changes.isEmpty && step.refusal == nil)
    #expect(session.memory.asked == [vector.input.readerIdentifier.hex])
    // Nobody has its keys: what is under the real ones is what any junk is.
    expectFailure(session.command(vector.exchangeCommand.hex), 0x6982, .protocolError)
  }

  @Test(arguments: Standing.decoys)
  func `a decoy understands no notification`(standing: Standing) throws {
    let session = try transaction.session(standing)
    _ = session.start()
    _ = session.command(vector.auth0Command.hex)
    expectFailure(session.receive(vector.bleMessages[0].wire.hex), nil, .protocolError)
  }

  @Test(arguments: [Standing.known] + Standing.decoys)
  func `a reader without a channel may be busy in clear`(standing: Standing) throws {
    let session = try transaction.session(standing)
    _ = session.start()
    let answered = session.command(vector.auth0Command.hex)
    let step = session.receive(frame(2, 0, [0, 0]))
    #expect(step.state == answered.state && step.events.map(\.kind) == [.busy])
    #expect(step.messages.isEmpty && step.refusal == nil)
    // Its error is the end, also in clear.
    #expect(session.receive(frame(2, 0, [1, 1, 0])).state == .failed)
  }

  @Test(arguments: [Standing.known, .unknownReader])
  func `AUTH1 follows the real and a decoy alike`(standing: Standing) throws {
    let session = try transaction.session(standing)
    _ = session.start()
    _ = session.command(vector.auth0Command.hex)
    let step = session.command(try transaction.auth1().apdu)
    #expect(step.state == .awaitingCompletion && step.statusWord == 0x9000)
    #expect(step.changes.count == 1)
  }

  @Test func `the standard form asks for no persistent key`() throws {
    let session = try Transaction.direct.started()
    _ = session.command(Transaction.direct.vector.auth0Command.hex)
    #expect(session.memory.asked.isEmpty)
  }

  @Test func `a missing decoy key fails AUTH0 for known and unknown readers alike`() throws {
    struct NoDecoy: SessionKeySource {
      let key: P256PrivateKey
      func makeEphemeralKey() throws(AliroError) -> P256PrivateKey { key }
      func makeDecoyKey() throws(AliroError) -> SecretBytes {
        throw .refused(Refusal(.busy, "No memory."))
      }
    }
    for memory in [FakeMemory(), transaction.keptKey] {
      let session = try transaction.session(
        keys: NoDecoy(key: transaction.ephemeralKey.key), memory: memory)
      _ = session.start()
      expectFailure(session.command(vector.auth0Command.hex), 0x6400, .busy)
    }
  }

  @Test func `AUTH1 may follow, and every channel starts again with its keys`() throws {
    let session = try keyed()
    let command = try transaction.auth1()
    let step = session.command(command.apdu)
    #expect(step.state == .awaitingCompletion)
    #expect(step.events.map(\.kind) == [.readerAuthenticated, .credentialPresented])
    let keys = try AgreedSecret(with: command.reader).volatileKeys()
    func octets(_ index: Int) throws -> [UInt8] {
      try keys.key(index).withBytes { Array(copying: $0) }
    }
    var commands = try ReaderCommands(readerKey: octets(0), deviceKey: octets(1))
    let answer = try #require(step.messages.first)
    #expect(try commands.open(Array(answer.dropFirst(4)))?.prefix(2) == [0x5A, 0x41])
    #expect(try commands.open(session.fetch(commands.exchange([]))) == [0, 2, 0, 0])
    // The new persistent key takes the place of the old one.
    let kept = session.memory.persistentKeys[vector.input.readerIdentifier.hex]
    #expect(kept != nil && kept != vector.input.kPersistent.hex)
    // The channel of the fast form is no more.
    expectFailure(session.receive(vector.bleMessages[0].wire.hex), nil, .protocolError)
  }

  @Test func `AUTH1 may not follow once the reader has used the fast keys`() throws {
    let exchanged = try keyed()
    _ = exchanged.command(vector.exchangeCommand.hex)
    expectFailure(exchanged.command(try transaction.auth1().apdu), 0x6D00, .protocolError)
    let completed = try keyed()
    _ = completed.receive(vector.bleMessages[0].wire.hex)
    expectFailure(completed.command(try transaction.auth1().apdu), 0x6D00, .protocolError)
    #expect(completed.signer.transcripts.isEmpty)
  }

  @Test func `after LOAD CERT nothing but AUTH1 is a command`() throws {
    let session = try keyed()
    let load = try certificate(for: "readerCertified")
    #expect(session.command(load).state == .awaitingCompletion)
    expectFailure(session.command(vector.exchangeCommand.hex), 0x6D00, .protocolError)
    let certified = try keyed()
    _ = certified.command(load)
    let step = certified.command(try transaction.auth1(by: "readerCertified").apdu)
    #expect(step.events.map(\.kind) == [.readerAuthenticated, .credentialPresented])
    let twice = try keyed()
    _ = twice.command(load)
    expectFailure(twice.command(load), 0x6D00, .protocolError)
  }

  @Test func `AUTH1 that is wrong ends the session, fast keys included`() throws {
    let session = try keyed()
    let command = try transaction.auth1(by: "wrongReader").apdu
    expectFailure(session.command(command), 0x6982, .readerUntrusted)
    #expect(session.command(vector.exchangeCommand.hex).messages.isEmpty)
  }

  @Test func `there is no step-up without AUTH1`() throws {
    let session = try keyed()
    expectFailure(session.command(Vector.all.stepUp.envelopeCommand.hex), 0x6D00, .protocolError)
  }

  @Test func `there is no step-up over NFC without AUTH1 either`() throws {
    let session = try transaction.session(transport: .nfc, memory: transaction.keptKey)
    _ = session.start()
    _ = session.command(hexOctets("00a4040009a000000909acce550100"))
    #expect(session.command(vector.auth0Command.hex).state == .awaitingCompletion)
    let step = session.command(hexOctets("00a4040009a000000909acce550200"))
    #expect(step.messages == [[0x6D, 0x00]])
    #expect(step.state == .failed)
  }
}
