import EngineTestSupport
import Testing

@testable import AliroEngine

/// What EXCHANGE does to the mailbox (section 9).
@Suite struct MailboxSessionTests {
  private static let contents = (0..<16).map { UInt8($0) }
  private static let done: [UInt8] = [0, 2, 0, 0]
  private static let outOfRange: [UInt8] = [0, 2, 0xFF, 0xFF]

  private static func session(
    size: Int = 16, readable: Bool = true, writable: Bool = true
  ) -> MailboxSession {
    MailboxSession(
      MailboxSettings(
        size: size, isReadable: readable, isWritable: writable, isUsableInStepUp: false))
  }

  private static func commands(_ text: String) throws -> MailboxCommands {
    try MailboxCommands(hexOctets(text))
  }

  @Test func `answers each read with its length, then the result`() throws {
    var session = Self.session()
    let (answer, writes) = try session.run(
      Self.commands("8c0100 8704 0002 0003 8704 0010 0000 8704 0000 0001"),
      contents: Self.contents)
    #expect(answer == hexOctets("0003 020304 0000 0001 00 0002 0000"))
    #expect(writes.isEmpty)
    #expect(!session.isOpen)
  }

  @Test func `reads see the mailbox as it was before the command`() throws {
    var session = Self.session()
    let (answer, writes) = try session.run(
      Self.commands("8c0100 8a04 0001 aabb 8704 0000 0004"), contents: Self.contents)
    #expect(answer == hexOctets("0004 00010203 0002 0000"))
    #expect(writes == [MailboxWrite(offset: 1, octets: [0xAA, 0xBB])])
  }

  @Test func `later writes win, and come out as runs in order`() throws {
    var session = Self.session()
    let (answer, writes) = try session.run(
      Self.commands("8c0100 9505 0008 0004 ee 8a04 0000 0102 8a03 0009 99 8a03 0002 03 8a02 0010"),
      contents: Self.contents)
    #expect(answer == Self.done)
    #expect(
      writes == [
        MailboxWrite(offset: 0, octets: [1, 2, 3]),
        MailboxWrite(offset: 8, octets: [0xEE, 0x99, 0xEE, 0xEE]),
      ])
  }

  @Test func `an atomic session holds writes until it closes, and reads do not see them`() throws {
    var session = Self.session()
    var (answer, writes) = try session.run(
      Self.commands("8c0101 8a04 0000 aabb"), contents: Self.contents)
    #expect(answer == Self.done && writes.isEmpty && session.isOpen)
    (answer, writes) = try session.run(
      Self.commands("8c0101 8704 0000 0002 9505 0001 0002 cc"), contents: Self.contents)
    #expect(answer == hexOctets("0002 0001 0002 0000"))
    #expect(writes.isEmpty && session.isOpen)
    (answer, writes) = try session.run(
      Self.commands("8c0100 8704 0001 0001"), contents: Self.contents)
    #expect(answer == hexOctets("0001 01 0002 0000"))
    #expect(writes == [MailboxWrite(offset: 0, octets: [0xAA, 0xCC, 0xCC])])
    #expect(!session.isOpen)
    (answer, writes) = try session.run(Self.commands("8c0100"), contents: Self.contents)
    #expect(answer == Self.done && writes.isEmpty)
  }

  @Test(arguments: [
    "8704 0000 0011", "8704 0010 0001", "8704 0011 0000", "8704 ffff ffff", "8a03 0010 01",
    "8a02 0011", "8a12 0001 000102030405060708090a0b0c0d0e0f", "9505 0000 0011 00",
    "9505 0010 0001 00", "9505 ffff ffff 00", "9505 0011 0000 00",
  ])
  func `a range outside the mailbox undoes its whole command and no other`(bad: String) throws {
    for more in ["00", "01"] {
      var session = Self.session()
      // Alone, and between commands that are good.
      for text in [
        "8c01\(more) \(bad)", "8c01\(more) 87040000 0001 8a03 0003 dd \(bad) 8a03 0004 dd",
      ] {
        let (answer, writes) = try session.run(Self.commands(text), contents: Self.contents)
        #expect(answer == Self.outOfRange)
        #expect(writes.isEmpty)
        #expect(!session.isOpen)
      }
      // In an atomic session.
      _ = try session.run(Self.commands("8c0101 8a03 0001 aa"), contents: Self.contents)
      let (answer, writes) = try session.run(
        Self.commands("8c01\(more) 8a03 0002 bb \(bad)"), contents: Self.contents)
      #expect(answer == Self.outOfRange && writes.isEmpty)
      #expect(session.isOpen)
      let closed = try session.run(Self.commands("8c0100"), contents: Self.contents)
      #expect(closed.writes == [MailboxWrite(offset: 1, octets: [0xAA])])
    }
  }

  @Test func `the last octet and the whole mailbox are in range`() throws {
    var session = Self.session()
    let (answer, writes) = try session.run(
      Self.commands("8c0100 8704 000f 0001 8704 0000 0010 9505 0000 0010 55 8a03 000f 66"),
      contents: Self.contents)
    #expect(answer == hexOctets("0001 0f 0010") + Self.contents + Self.done)
    #expect(
      writes == [MailboxWrite(offset: 0, octets: [UInt8](repeating: 0x55, count: 15) + [0x66])])
  }

  @Test func `an answer of more than 16 KiB is out of range`() throws {
    let contents = [UInt8](repeating: 7, count: 4096)
    var session = Self.session(size: 4096)
    // Four reads of 4,093 octets with their lengths, and the result, are exactly that.
    let reads = String(repeating: "8704 0000 0ffd", count: 4)
    let fits = try session.run(Self.commands("8c0100 \(reads)"), contents: contents)
    #expect(fits.answer.count == 16 << 10)
    for more in ["8704 0000 0000", "8704 0000 0001", "8704 0000 0ffd"] {
      let exceeds = try session.run(Self.commands("8c0100 \(reads) \(more)"), contents: contents)
      #expect(exceeds.answer == Self.outOfRange)
    }
  }

  @Test(arguments: [
    ("8704 0000 0001", false, true), ("8a03 0000 01", true, false),
    ("9505 0000 0001 00", true, false),
    ("8704 0000 0000", false, false), ("8a02 0000", false, false),
    // The permission comes before the range.
    ("8704 ffff ffff", false, true),
  ])
  func `a reader without the permission is refused`(text: String, readable: Bool, writable: Bool)
    throws
  {
    var session = Self.session(readable: readable, writable: writable)
    let commands = try Self.commands("8c0101 \(text)")
    let failure = #expect(throws: Failure.self) {
      _ = try session.run(commands, contents: Self.contents)
    }
    #expect(failure?.statusWord == .malformed)
  }

  @Test func `each permission is enough for what it permits`() throws {
    var reading = Self.session(writable: false)
    #expect(
      try reading.run(Self.commands("8c0100 8704 0003 0001"), contents: Self.contents).answer
        == hexOctets("0001 03 0002 0000"))
    var writing = Self.session(readable: false)
    #expect(
      try writing.run(Self.commands("8c0100 8a03 0000 09"), contents: Self.contents).writes
        == [MailboxWrite(offset: 0, octets: [9])])
  }

  @Test func `a mailbox of another size than the pass says is damage`() throws {
    var session = Self.session()
    let commands = try Self.commands("8c0100 8704 0000 0001")
    for contents in [[], [0], Self.contents + [0]] as [[UInt8]] {
      let failure = #expect(throws: Failure.self) {
        _ = try session.run(commands, contents: contents)
      }
      #expect(failure?.refusal.code == .damaged)
    }
  }

  /// A mailbox that does each command at once, and a copy of it for an atomic session.
  private struct Model {
    var stored = MailboxSessionTests.contents
    var pending: [UInt8]?

    mutating func run(_ commands: MailboxCommands) -> [UInt8] {
      var next = pending ?? stored
      var answer: [UInt8] = []
      for command in commands.commands {
        switch command {
        case .read(let offset, let count):
          guard offset + count <= 16 else { return MailboxSessionTests.outOfRange }
          answer += [0, UInt8(count)] + stored.dropFirst(offset).prefix(count)
        case .write(let offset, let octets):
          guard offset + octets.count <= 16 else { return MailboxSessionTests.outOfRange }
          for (index, octet) in octets.enumerated() { next[offset + index] = octet }
        case .set(let offset, let count, let value):
          guard offset + count <= 16 else { return MailboxSessionTests.outOfRange }
          for index in offset..<offset + count { next[index] = value }
        }
      }
      pending = commands.hasMore ? next : nil
      if !commands.hasMore { stored = next }
      return answer + MailboxSessionTests.done
    }
  }

  @Test func `commands at random do what a plain mailbox does`() throws {
    var generator = FixedGenerator(state: 0xB0C5)
    for _ in 0..<300 {
      var session = Self.session()
      var contents = Self.contents
      var model = Model()
      for _ in 0..<8 {
        var text = [0x8C, 1, UInt8.random(in: 0...1, using: &generator)]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let offset = UInt8.random(in: 0...12, using: &generator)
          let count = UInt8.random(in: 0...5, using: &generator)
          switch Int.random(in: 0...2, using: &generator) {
          case 0: text += [0x87, 4, 0, offset, 0, count]
          case 1:
            text += [0x8A, 2 + count, 0, offset]
            text += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
          default:
            text += [0x95, 5, 0, offset, 0, count, UInt8.random(in: 0...255, using: &generator)]
          }
        }
        let commands = try MailboxCommands(text)
        let (answer, writes) = try session.run(commands, contents: contents)
        #expect(answer == model.run(commands))
        for write in writes {
          contents.replaceSubrange(
            write.offset..<write.offset + write.octets.count, with: write.octets)
        }
        #expect(contents == model.stored)
        #expect(session.isOpen == (model.pending != nil))
      }
    }
  }
}
