import SecureMemory
import Testing

@testable import AliroEngine

/// EXCHANGE within a session (section 9): what it changes, and what it ends.
@Suite struct ExchangeTests {
  private let transaction = Transaction.direct
  private let settings = MailboxSettings(
    size: 8, isReadable: true, isWritable: true, isUsableInStepUp: true)

  /// A session after AUTH1 whose mailbox holds 0 to 7.
  private func session(_ settings: MailboxSettings? = nil) throws -> Session {
    let settings = settings ?? self.settings
    let contents = (0..<settings.size).map { UInt8(truncatingIfNeeded: $0) }
    let session = try transaction.session(
      mailbox: settings, memory: FakeMemory(mailbox: contents))
    transaction.afterAuth1(session)
    return session
  }

  @Test func `reads see the mailbox before the writes, which are a change of the step`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    let step = session.command(
      try reader.exchange(hexOctets("ba13 8c0100 8a040002aabb 870400010003 9505000600 01cc")))
    #expect(step.statusWord == 0x6701)
    // The same with lengths that are right.
    let sound = try self.session()
    reader = try transaction.commandChannel(answered: 1)
    let written = sound.command(
      try reader.exchange(hexOctets("ba16 8c0100 8a040002aabb 870400010003 95050006 0001cc")))
    let answer = try reader.open(Array(written.messages[0].dropFirst(4)))
    #expect(answer == hexOctets("0003010203 00020000"))
    let writes = try #require(mailboxWrites(written))
    #expect(
      writes == [
        MailboxWrite(offset: 2, octets: [0xAA, 0xBB]), MailboxWrite(offset: 6, octets: [0xCC]),
      ])
    #expect(sound.memory.mailboxContents == hexOctets("0001aabb0405cc07"))
    let read = try reader.exchange(hexOctets("ba098c0100870400000008"))
    #expect(try reader.open(sound.fetch(read)) == hexOctets("00080001aabb0405cc07 00020000"))
  }

  @Test func `an atomic session changes nothing before its end, and then everything`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    let first = session.command(try reader.exchange(hexOctets("ba098c01018a040000f1f2")))
    #expect(first.changes.isEmpty && first.statusWord == 0x9000)
    let idle = session.command(try reader.exchange([]))
    #expect(idle.changes.isEmpty && idle.refusal == nil)
    let last = session.command(try reader.exchange(hexOctets("ba088c01008a030007f3")))
    #expect(
      mailboxWrites(last) == [
        MailboxWrite(offset: 0, octets: [0xF1, 0xF2]), MailboxWrite(offset: 7, octets: [0xF3]),
      ])
    #expect(session.command(hexOctets("00ca7f6800")).statusWord == 0x6A88)
  }

  @Test(arguments: [
    "00ca7f6800", "00a4040005d276000085", "00a4040009a000000909acce5501", "00c0000000",
    "803c000006410101420100", "00c3000003530100", "80d10000", "808100000341 0100", "80800000",
    "90810000034101 00",
  ])
  func `another command in an atomic session is 6900, and what was held is dropped`(
    apdu: String
  ) throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    _ = session.command(try reader.exchange(hexOctets("ba098c01018a040000f1f2")))
    let step = session.command(hexOctets(apdu))
    expectFailure(step, 0x6900, .protocolError)
    #expect(step.changes.isEmpty)
    #expect(session.memory.mailboxContents == [0, 1, 2, 3, 4, 5, 6, 7])
    let end = session.command(try reader.exchange(hexOctets("ba038c0100")))
    #expect(end.messages.isEmpty && end.changes.isEmpty)
  }

  @Test func `notifications do not disturb an atomic session`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    _ = session.command(try reader.exchange(hexOctets("ba098c01018a040000f1f2")))
    #expect(session.receive(transaction.vector.bleMessages[0].wire.hex).state == .awaitingStatus)
    let last = session.command(try reader.exchange(hexOctets("ba038c0100")))
    #expect(mailboxWrites(last) == [MailboxWrite(offset: 0, octets: [0xF1, 0xF2])])
    #expect(last.state == .awaitingStatus)
  }

  @Test func `closing drops what was held`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    _ = session.command(try reader.exchange(hexOctets("ba098c01018a040000f1f2")))
    #expect(session.close().changes.isEmpty)
    #expect(session.memory.mailboxContents == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test(
    arguments: [
      ("no TLV", "ff"), ("a known tag out of order", "9800 ae00"), ("a tag twice", "9800 9800"),
      ("a document", "810101"), ("the reader's status", "97020101"),
      ("a document after good writes", "ba098c01008a040000f1f2 810101"),
      ("mailbox commands without 8C", "ba068a040000f1f2"),
    ])
  func `a wrong payload is 6701, and changes nothing`(name: String, plaintext: String) throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    let step = session.command(try reader.exchange(hexOctets(plaintext)))
    expectFailure(step, 0x6701, .protocolError)
    #expect(step.changes.isEmpty)
  }

  @Test(
    arguments: [
      (
        MailboxSettings(size: 8, isReadable: false, isWritable: true, isUsableInStepUp: true),
        "870400000001"
      ),
      (
        MailboxSettings(size: 8, isReadable: true, isWritable: false, isUsableInStepUp: true),
        "8a0400000101"
      ),
      (
        MailboxSettings(size: 8, isReadable: true, isWritable: false, isUsableInStepUp: true),
        "95050000000100"
      ),
    ])
  func `a permission that is missing is 6701`(settings: MailboxSettings, command: String) throws {
    let session = try session(settings)
    var reader = try transaction.commandChannel(answered: 1)
    let value = hexOctets("8c0100" + command)
    let step = session.command(try reader.exchange([0xBA, UInt8(value.count)] + value))
    expectFailure(step, 0x6701, .protocolError)
  }

  @Test func `without a mailbox its commands are 6701, and the empty command is good`() throws {
    let session = try transaction.session()
    transaction.afterAuth1(session)
    var reader = try transaction.commandChannel(answered: 1)
    #expect(try reader.open(session.fetch(try reader.exchange([]))) == [0, 2, 0, 0])
    let step = session.command(try reader.exchange(hexOctets("ba098c0100870400000001")))
    expectFailure(step, 0x6701, .protocolError)
  }

  @Test func `a mailbox that cannot be read is 6400 with its reason`() throws {
    let unreadable = try session()
    unreadable.memory.refusal = Refusal(.damaged, "For a test.")
    let missing = try session()
    missing.memory.mailboxContents = nil
    for session in [unreadable, missing] {
      var reader = try transaction.commandChannel(answered: 1)
      let step = session.command(try reader.exchange(hexOctets("ba098c0100870400000001")))
      expectFailure(step, 0x6400, .damaged)
    }
  }

  @Test func `the largest mailbox can be written and read whole`() throws {
    let session = try session(
      MailboxSettings(size: 4096, isReadable: true, isWritable: true, isUsableInStepUp: true))
    var reader = try transaction.commandChannel(answered: 1)
    let contents = (0..<4096).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var commands = hexOctets("ba8210098c0100 8a82100200 00")
    commands += contents
    let parts = try reader.chainedExchange(commands)
    for part in parts.dropLast() {
      #expect(session.command(part).messages == [frame(0, 1, [0x90, 0x00])])
    }
    #expect(try reader.open(session.fetch(parts.last ?? [])) == [0, 2, 0, 0])
    #expect(session.memory.mailboxContents == contents)
    let read = try reader.exchange(hexOctets("ba098c0100870400001000"))
    #expect(try reader.open(session.fetch(read)) == [0x10, 0x00] + contents + [0, 2, 0, 0])
  }

  @Test func `a chained EXCHANGE that grows without end is 6701`() throws {
    let session = try session()
    let part = [0x90, 0xC9, 0, 0, 0xFF] + [UInt8](repeating: 1, count: 0xFF)
    for _ in 0..<32 { #expect(session.command(part).statusWord == 0x9000) }
    expectFailure(session.command(part), 0x6701, .protocolError)
  }

  @Test func `a replayed command does not verify`() throws {
    let session = try session()
    let command = transaction.vector.exchangeCommand.hex
    #expect(session.command(command).statusWord == 0x9000)
    expectFailure(session.command(command), 0x6982, .protocolError)
  }

  @Test(
    arguments: [
      ("ae048202 0025", .error, "reader error: access rights"),
      ("ae07b505 0403 010203", .status, "reader of vendor 010203"),
    ] as [(String, PresentationEvent.Kind, String)])
  func `what the reader notifies is told in words`(
    plaintext: String, kind: PresentationEvent.Kind, words: String
  ) throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    let step = session.command(try reader.exchange(hexOctets(plaintext)))
    #expect(step.events == [PresentationEvent(kind, words)])
    #expect(step.statusWord == 0x9000 && step.state == .awaitingCompletion)
  }

  @Test func `the ranging key is made known once a session`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    let answer = session.fetch(try reader.exchange([0x98, 0x00]))
    #expect(try reader.open(answer) == [0, 2, 0, 0])
    expectFailure(session.command(try reader.exchange([0x98, 0x00])), 0x6701, .protocolError)
  }

  @Test func `AUTH1 tells what the mailbox is good for, and whether it holds something`() throws {
    let cases: [(MailboxSettings, [UInt8], UInt16)] = [
      (settings, [UInt8](repeating: 0, count: 8), 0b100_0011_0001),
      (settings, [0, 0, 0, 0, 0, 0, 0, 1], 0b100_0011_1001),
      (
        MailboxSettings(size: 1, isReadable: false, isWritable: false, isUsableInStepUp: false),
        [1], 0b1001
      ),
    ]
    for (settings, contents, bits) in cases {
      let memory = FakeMemory(mailbox: contents)
      let session = try transaction.session(mailbox: settings, memory: memory)
      transaction.beforeAuth1(session)
      var reader = try transaction.commandChannel(answered: 0)
      let plaintext = try reader.open(session.fetch(transaction.vector.auth1Command.hex))
      #expect(plaintext?[133..<137] == [0x5E, 0x02, UInt8(bits >> 8), UInt8(bits & 0xFF)])
    }
  }

  @Test func `a counter that is used up is 6D00`() throws {
    let session = try session()
    var reader = try transaction.commandChannel(answered: 1)
    // AUTH1's answer took the first of the device's counters, so that its own run out first.
    for _ in 1..<0xFFFD {
      guard session.command(try reader.exchange([])).statusWord == 0x9000 else {
        Issue.record("The session has ended early.")
        return
      }
    }
    #expect(session.command(try reader.exchange([])).statusWord == 0x9000)
    expectFailure(session.command(try reader.exchange([])), 0x6D00, .protocolError)
  }

  private func mailboxWrites(_ step: PresentationStep) -> [MailboxWrite]? {
    guard step.changes.count == 1, case .mailbox(let writes) = step.changes[0] else { return nil }
    return writes
  }
}
