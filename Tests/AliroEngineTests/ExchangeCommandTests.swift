import Testing

@testable import AliroEngine

/// The plaintext of EXCHANGE: form and order (section 9).
@Suite struct ExchangeCommandTests {
  private func failure(_ plaintext: String) -> Failure? {
    #expect(throws: Failure.self) { _ = try ExchangeCommand(hexOctets(plaintext)) }
  }

  @Test func `reads the command of the vectors`() throws {
    let command = try ExchangeCommand(Vector.all.transactions[0].exchangeCommandPlaintext.hex)
    #expect(command.wantsRanging)
    #expect(command.mailbox == nil && command.notice == nil && command.readerStatus == nil)
    #expect(!command.updatesDocument)
    let answer = Vector.all.transactions[0].exchangeResponsePlaintext.hex
    #expect(ExchangeResult.success.encoded == answer)
  }

  @Test func `reads every tag in its order, and skips the unknown between them`() throws {
    let command = try ExchangeCommand(
      hexOctets("0f00 ba03 8c0100 d001ff ae04 82020002 9702 0101 9f1100 9800 8103 010203 5f7f00"))
    #expect(command.mailbox?.hasMore == false)
    #expect(command.mailbox?.commands == [])
    #expect(command.notice == .error(ReaderStatus(2)))
    #expect(command.readerStatus == ReaderStatus(0x0101))
    #expect(command.wantsRanging && command.updatesDocument)
  }

  @Test func `nothing asked for is a command`() throws {
    for plaintext in ["", "d001ff"] {
      let command = try ExchangeCommand(hexOctets(plaintext))
      #expect(command.mailbox == nil && !command.wantsRanging && !command.updatesDocument)
    }
  }

  @Test(arguments: [
    ("98", "no length"), ("9801", "cut short"), ("009800", "tag zero"), ("988000", "indefinite"),
    ("98810000", "a long length"), ("980100", "a value where there is none"),
    ("970101", "a short status"), ("9703010101", "a long status"), ("98009800", "98 twice"),
    ("9800 97020101", "98 before 97"), ("97020101 ae00", "97 before AE"),
    ("ae00 ba038c0100", "AE before BA"), ("8100 9800", "81 before 98"),
    ("ba038c0100 ba038c0100", "BA twice"), ("81008100", "81 twice"),
    ("ae81fb" + String(repeating: "00", count: 251), "AE too long"),
  ])
  func `refuses another form or order`(plaintext: String, name: String) {
    #expect(failure(plaintext)?.statusWord == .malformed)
    #expect(failure(plaintext)?.refusal.code == .protocolError)
  }

  @Test func `reads mailbox commands as they come`() throws {
    let commands = try MailboxCommands(
      hexOctets(
        "8c0101 8704 0001 0010 8a05 0002 aabbcc d000 9505 fffe ffff 7f 8a02 0000 8704 00000000")
    )
    #expect(commands.hasMore)
    #expect(
      commands.commands == [
        .read(offset: 1, count: 16), .write(offset: 2, octets: [0xAA, 0xBB, 0xCC]),
        .set(offset: 0xFFFE, count: 0xFFFF, value: 0x7F), .write(offset: 0, octets: []),
        .read(offset: 0, count: 0),
      ])
  }

  @Test(arguments: [
    ("", "nothing"), ("8704 00000001", "no 8C"), ("8704 00000001 8c0100", "8C last"),
    ("8c0100 8c0100", "8C twice"), ("8c0102", "a 2 in 8C"), ("8c00", "an empty 8C"),
    ("8c020000", "a long 8C"), ("8c0100 8703 000000", "a short read"),
    ("8c0100 8705 0000000000", "a long read"), ("8c0100 8a01 00", "a write without an offset"),
    ("8c0100 8a00", "an empty write"), ("8c0100 9504 00000001", "a short set"),
    ("8c0100 9506 000000010000", "a long set"), ("8c0100 87", "cut short"),
  ])
  func `refuses mailbox commands of another form`(value: String, name: String) {
    #expect(throws: Failure.self) { _ = try MailboxCommands(hexOctets(value)) }
    let octets = hexOctets(value)
    let whole = [0xBA, UInt8(octets.count)] + octets
    let failure = #expect(throws: Failure.self) { _ = try ExchangeCommand(whole) }
    #expect(failure?.statusWord == .malformed)
  }

  @Test func `says in words how the reader fares`() {
    let words: [UInt16: String] = [
      0x0001: "key not found", 0x0002: "key expired", 0x0003: "key not trusted",
      0x0004: "bad signature", 0x0006: "bad format", 0x0007: "bad content",
      0x0020: "status word error", 0x0021: "no key slot", 0x0022: "no public key",
      0x0023: "no signature", 0x0025: "access rights", 0x0026: "hardware", 0x0100: "secured",
      0x0101: "unsecured", 0x0102: "jammed", 0x0180: "securing", 0x0181: "unsecuring",
      0x0182: "unknown",
    ]
    for (value, text) in words {
      #expect(ReaderStatus(value).words == text)
      #expect(ReaderStatus(value).isSuccess == (value >= 0x0100))
    }
    #expect(ReaderStatus(0x0199).words == "unknown")
    #expect(ReaderStatus(0x0199).isSuccess)
    for value: UInt16 in [0x0000, 0x0005, 0x0200, 0xFFFF] {
      #expect(ReaderStatus(value).words.hasPrefix("a reason that is not known"))
      #expect(!ReaderStatus(value).isSuccess)
    }
  }

  @Test(arguments: [
    ("82020025", "reader error: access rights"),
    ("b505 0403 0a0b0c", "reader of vendor 0a0b0c"),
    (
      "b50f 0403 0a0b0c 8004 4c312d32 8102 0107",
      "reader of vendor 0a0b0c, product L1-2, firmware 0107"
    ),
    ("9f00 03 010203", "message of 3 octets for the application, importance 0"),
    ("9f54 00", "message of 0 octets for the issuer, importance 4, time-critical"),
    ("d000 82020001 d000", "reader error: key not found"),
  ])
  func `says notices in words`(value: String, words: String) throws {
    #expect(try ReaderNotice.read(hexOctets(value))?.words == words)
  }

  @Test func `a notice that is not known is none`() throws {
    #expect(try ReaderNotice.read([]) == nil)
    #expect(try ReaderNotice.read(hexOctets("d001ff")) == nil)
  }

  @Test(arguments: [
    "820102", "8203010203", "82020001 82020001", "9f00009f4000", "b500", "b5040402 0a0b",
    "b507 8000 0403 0a0b0c", "b509 0403 0a0b0c 8100 8000", "82", "9f8000",
  ])
  func `refuses notices of another form`(value: String) {
    #expect(throws: Failure.self) { _ = try ReaderNotice.read(hexOctets(value)) }
  }

  @Test func `no change to an octet traps`() {
    let whole = hexOctets(
      "ba1c 8c0101 8704 0001 0010 8a05 0002 aabbcc 9505 fffe ffff 7f ae0e b50c 0403 0a0b0c 8001 41 8102 0107 97020101 9800 8101 00"
    )
    for index in whole.indices {
      _ = try? ExchangeCommand(Array(whole.prefix(index)))
      for octet in UInt8.min...UInt8.max {
        var changed = whole
        changed[index] = octet
        _ = try? ExchangeCommand(changed)
      }
    }
  }
}
