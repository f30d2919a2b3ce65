import WireCoding

/// What one EXCHANGE asks of the mailbox (section 9, tag BA), checked for form alone.
struct MailboxCommands: Hashable, Sendable {
  /// One of the commands.
  enum Command: Hashable, Sendable {
    case read(offset: Int, count: Int)
    case write(offset: Int, octets: [UInt8])
    case set(offset: Int, count: Int, value: UInt8)
  }

  /// Whether more commands belong to the same atomic session (8C 01 01).
  let hasMore: Bool
  /// The commands in their order.
  let commands: [Command]

  /// Reads the value of tag BA: `8C` first, then any of `87`, `8A` and `95`; other tags are skipped.
  init(_ value: [UInt8]) throws(Failure) {
    let elements: [TLVElement]
    do {
      elements = try TLVReader.elements(in: value.span)
    } catch {
      throw .malformed("The mailbox commands are not BER-TLV.")
    }
    var hasMore: Bool?
    var commands: [Command] = []
    for element in elements where [0x8C, 0x87, 0x8A, 0x95].contains(element.tag) {
      let field = value.value(of: element)
      if element.tag == 0x8C {
        guard hasMore == nil, field == [0] || field == [1] else {
          throw .malformed("The mailbox commands repeat 8C, or it holds neither 0 nor 1.")
        }
        hasMore = field == [1]
      } else {
        guard hasMore != nil else { throw .malformed("The mailbox commands begin without 8C.") }
        commands.append(try Command(element.tag, field))
      }
    }
    guard let hasMore else { throw .malformed("The mailbox commands lack 8C.") }
    self.hasMore = hasMore
    self.commands = commands
  }
}

extension MailboxCommands.Command {
  /// Reads the value of a command: an offset in two octets, then what the command needs.
  fileprivate init(_ tag: TLVTag, _ value: [UInt8]) throws(Failure) {
    let malformed = Failure.malformed("A mailbox command has the wrong length.")
    guard value.count >= 2 else { throw malformed }
    let offset = Int(value[0]) << 8 | Int(value[1])
    if tag == 0x8A {
      self = .write(offset: offset, octets: Array(value.dropFirst(2)))
      return
    }
    guard value.count == (tag == 0x87 ? 4 : 5) else { throw malformed }
    let count = Int(value[2]) << 8 | Int(value[3])
    self =
      tag == 0x87
      ? .read(offset: offset, count: count)
      : .set(offset: offset, count: count, value: value[4])
  }
}
