import Testing

@testable import AliroEngine

/// Sessions of raw APDUs, begun by SELECT (section 3).
@Suite struct NFCTests {
  private let transaction = Transaction.nfc
  private var vector: Vector { transaction.vector }
  private let selectStepUp = hexOctets("00a4040009a000000909acce550200")

  private func selected(
    mailbox: MailboxSettings? = nil, memory: FakeMemory = FakeMemory()
  ) throws -> Session {
    let session = try transaction.session(mailbox: mailbox, memory: memory)
    _ = session.start()
    #expect(session.command(vector.selectCommand.hex).messages == [vector.selectResponse.hex])
    return session
  }

  private func authenticated(
    mailbox: MailboxSettings? = nil, memory: FakeMemory = FakeMemory()
  ) throws -> Session {
    let session = try selected(mailbox: mailbox, memory: memory)
    _ = session.command(vector.auth0Command.hex)
    #expect(session.command(vector.auth1Command.hex).state == .awaitingCompletion)
    return session
  }

  @Test func `nothing but SELECT begins a session`() throws {
    for (apdu, word) in [
      ("00ca7f6800", 0x6A88), ("00a4040005d276000085", 0x6A82), ("00a40400", 0x6A82),
      // A part of an identifier names no application.
      ("00a4040008a000000909acce55", 0x6A82), ("00a4000009a000000909acce5501", 0x6A86),
    ] as [(String, UInt16)] {
      let session = try transaction.started()
      let step = session.command(hexOctets(apdu))
      #expect(step.statusWord == word)
      #expect(step.messages == [[UInt8(word >> 8), UInt8(word & 0xFF)]])
      #expect(step.state == .awaitingSelect && step.refusal == nil)
      #expect(session.command(vector.selectCommand.hex).state == .awaitingAuth0)
    }
    for command in [vector.auth0Command.hex, vector.auth1Command.hex, selectStepUp] {
      let session = try transaction.started()
      let step = session.command(command)
      #expect(step.messages == [[0x6D, 0x00]] && step.state == .failed)
    }
  }

  @Test func `a second SELECT starts anew, with all keys dropped`() throws {
    let session = try authenticated()
    var reader = try transaction.commandChannel(answered: 1)
    let exchange = try reader.exchange([0x98, 0x00])
    #expect(session.command(vector.selectCommand.hex).messages == [vector.selectResponse.hex])
    #expect(session.state == .awaitingAuth0)
    #expect(session.command(vector.auth0Command.hex).messages == [vector.auth0Response.hex])
    #expect(session.command(vector.auth1Command.hex).messages == [vector.auth1Response.hex])
    _ = session.command(vector.selectCommand.hex)
    #expect(session.command(exchange).messages == [[0x6D, 0x00]])
  }

  @Test func `a second AUTH0 without SELECT is 6D00`() throws {
    let session = try selected()
    _ = session.command(vector.auth0Command.hex)
    #expect(session.command(vector.auth0Command.hex).messages == [[0x6D, 0x00]])
    #expect(session.state == .failed)
  }

  @Test func `SELECT drops a command that is not whole`() throws {
    let session = try selected()
    let data = try CommandAPDU(vector.auth0Command.hex).data
    let first = [0x90, 0x80, 0, 0, 100] + data.prefix(100)
    #expect(session.command(first).messages == [[0x90, 0x00]])
    #expect(session.command(vector.selectCommand.hex).state == .awaitingAuth0)
    // The second half alone is no AUTH0.
    let rest = Array(data.dropFirst(100))
    let step = session.command([0x80, 0x80, 0, 0, UInt8(rest.count)] + rest)
    #expect(step.messages == [[0x67, 0x01]])
  }

  @Test(
    arguments: [
      (0x0101, .accessGranted, "unsecured"), (0x0100, .accessGranted, "secured"),
      (0x0181, .accessGranted, "unsecuring"), (0x0102, .status, "jammed"),
      (0x0002, .accessDenied, "key expired"), (0x0025, .accessDenied, "access rights"),
    ] as [(UInt16, PresentationEvent.Kind, String)])
  func `the reader's status ends the session once it is answered`(
    value: UInt16, kind: PresentationEvent.Kind, words: String
  ) throws {
    let session = try authenticated()
    var reader = try transaction.commandChannel(answered: 1)
    let command = try reader.exchange([0x97, 0x02, UInt8(value >> 8), UInt8(value & 0xFF)])
    let step = session.command(command)
    #expect(try reader.open(step.messages.first ?? []) == [0, 2, 0, 0])
    #expect(step.events == [PresentationEvent(kind, words)])
    #expect(step.state == .finished && step.refusal == nil)
    #expect(session.command(vector.selectCommand.hex).messages.isEmpty)
  }

  @Test func `an answer in parts is fetched before the session ends`() throws {
    let contents = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
    let settings = MailboxSettings(
      size: 600, isReadable: true, isWritable: false, isUsableInStepUp: false)
    let session = try authenticated(mailbox: settings, memory: FakeMemory(mailbox: contents))
    var reader = try transaction.commandChannel(answered: 1)
    let command = try reader.exchange(hexOctets("ba098c010087040000 0258 97020101"))
    let first = session.command(command)
    // 600 octets, their length, the result and the tag: 622.
    #expect(first.statusWord == 0x6100)
    #expect(first.messages.first?.count == 256)
    #expect(first.events.map(\.kind) == [.accessGranted])
    #expect(first.state == .awaitingCompletion)
    let second = session.command(hexOctets("00c0000010"))
    #expect(second.messages.first?.count == 18)
    #expect(second.statusWord == 0x6100)
    let third = session.command(hexOctets("00c0000000"))
    #expect(third.statusWord == 0x6162)
    let last = session.command(hexOctets("00c0000062"))
    #expect(last.statusWord == 0x9000)
    #expect(last.state == .finished)
    let parts = [first, second, third, last].flatMap { $0.messages[0].dropLast(2) }
    #expect(try reader.open(parts + [0x90, 0]) == [2, 0x58] + contents + [0, 2, 0, 0])
  }

  @Test func `a last answer that is not fetched ends with another command`() throws {
    let settings = MailboxSettings(
      size: 600, isReadable: true, isWritable: false, isUsableInStepUp: false)
    let memory = FakeMemory(mailbox: [UInt8](repeating: 1, count: 600))
    for (next, state) in [
      (hexOctets("80c9000001ff"), PresentationState.failed),
      (vector.selectCommand.hex, .awaitingAuth0),
    ] {
      let session = try authenticated(mailbox: settings, memory: memory)
      var reader = try transaction.commandChannel(answered: 1)
      _ = session.command(try reader.exchange(hexOctets("ba098c0100870400000258 97020101")))
      #expect(session.command(next).state == state)
    }
  }

  @Test func `what is no APDU is 6701`() throws {
    for message in [[], [0x80], [UInt8](repeating: 0x80, count: 5000)] {
      let session = try transaction.started()
      let step = session.command(message)
      #expect(step.state == .failed && step.messages.first?.count == 2)
      #expect(step.statusWord != 0x9000)
    }
  }

  @Test func `step-up has to be selected, once, and ends the expedited channel`() throws {
    let session = try authenticated()
    let answer = session.command(selectStepUp)
    #expect(answer.messages == [hexOctets("6f118409a000000909acce5502a504800200009000")])
    #expect(answer.state == .awaitingCompletion)
    var reader = try transaction.stepUpChannel()
    let request = Vector.all.stepUp.deviceRequest.hex
    let response = try reader.open(session.fetch(try reader.envelope(request)))
    #expect(response == Vector.all.stepUp.deviceResponse.hex)
    let exchanged = session.fetch(try reader.exchange([]))
    #expect(try reader.open(exchanged) == [0, 2, 0, 0])
    #expect(session.command(selectStepUp).messages == [[0x6D, 0x00]])

    let unselected = try authenticated()
    var early = try transaction.stepUpChannel()
    #expect(unselected.command(try early.envelope(request)).messages == [[0x6D, 0x00]])
    let expedited = try authenticated()
    _ = expedited.command(selectStepUp)
    var old = try transaction.commandChannel(answered: 1)
    #expect(expedited.command(try old.exchange([])).messages == [[0x69, 0x82]])
  }

  @Test func `step-up is announced where there is a document`() throws {
    let credential = UsableCredential(
      signer: try SpySigner(), trust: [], documents: Transaction.direct.documents)
    #expect(SignalingBitmap(of: credential, contents: nil, over: .nfc).rawValue == 0b101)
    #expect(SignalingBitmap(of: credential, contents: nil, over: .ble).rawValue == 0b001)
    let bare = UsableCredential(
      signer: try SpySigner(), trust: [], documents: DocumentInfo(access: nil))
    #expect(SignalingBitmap(of: bare, contents: nil, over: .nfc).rawValue == 0)
  }

  @Test func `there is nothing to ask, and no time in which AUTH0 must come`() throws {
    let session = try transaction.session()
    #expect(session.start().timeout == nil)
    #expect(session.command(vector.selectCommand.hex).timeout == nil)
    session.uptime += 1_000_000
    #expect(session.command(vector.auth0Command.hex).state == .awaitingAuth1)
    _ = session.command(vector.auth1Command.hex)
    let step = session.request(.unsecure)
    #expect(step.refusal?.code == .protocolError && step.messages.isEmpty)
    #expect(step.state == .awaitingCompletion)
  }
}
