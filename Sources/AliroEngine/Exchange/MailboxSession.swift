/// What the commands of one transaction do to the mailbox, with the atomic session that may be under
/// way (section 9).
///
/// It keeps no copy of the mailbox: contents come with each call, and writes go out to be made
/// durable before they are answered.
struct MailboxSession: Sendable {
  /// The longest answer, result included.
  static let answerLimit = 16 << 10

  private let settings: MailboxSettings
  /// What an open atomic session has written so far, by position; `nil` when none is open.
  ///
  /// Its size is that of the mailbox, however much is written.
  private var held: [UInt8?]?

  /// Begins without an atomic session.
  init(_ settings: MailboxSettings) {
    self.settings = settings
  }

  /// Whether an atomic session is under way.
  var isOpen: Bool { held != nil }

  /// Carries out the commands of one EXCHANGE.
  ///
  /// Permissions and every range are checked before anything: commands of which one is out of range
  /// change nothing, and what an atomic session holds stays held.
  ///
  /// - Parameters:
  ///   - commands: the commands.
  ///   - contents: the mailbox as it stands, without what is held; all reads see this.
  /// - Returns: the plaintext answer, and the writes to apply together before it is sent: in
  ///   ascending order, none touching another.
  /// - Throws: ``Failure`` when the reader lacks a permission.
  mutating func run(
    _ commands: MailboxCommands, contents: [UInt8]
  ) throws(Failure) -> (answer: [UInt8], writes: [MailboxWrite]) {
    guard contents.count == settings.size else {
      throw Failure(
        statusWord: .executionError,
        refusal: Refusal(.damaged, "The mailbox has another size than its pass says."))
    }
    try checkPermissions(commands.commands)
    guard fits(commands.commands) else { return (ExchangeResult.outOfRange.encoded, []) }
    var answer: [UInt8] = []
    var overlay = held ?? [UInt8?](repeating: nil, count: settings.size)
    for command in commands.commands {
      switch command {
      case .read(let offset, let count):
        answer += [UInt8(count >> 8), UInt8(count & 0xFF)] + contents[offset..<offset + count]
      case .write(let offset, let octets):
        overlay.replaceSubrange(offset..<offset + octets.count, with: octets.map { $0 })
      case .set(let offset, let count, let value):
        overlay.replaceSubrange(
          offset..<offset + count, with: [UInt8?](repeating: value, count: count))
      }
    }
    answer += ExchangeResult.success.encoded
    held = commands.hasMore ? overlay : nil
    return (answer, commands.hasMore ? [] : Self.writes(of: overlay))
  }

  private func checkPermissions(_ commands: [MailboxCommands.Command]) throws(Failure) {
    let isAllowed = commands.allSatisfy { command in
      switch command {
      case .read: settings.isReadable
      case .write, .set: settings.isWritable
      }
    }
    guard isAllowed else {
      throw .malformed("The reader may not do to the mailbox what it asks for.")
    }
  }

  /// Whether every range lies in the mailbox, and the answer to the reads is not too long.
  private func fits(_ commands: [MailboxCommands.Command]) -> Bool {
    var count = ExchangeResult.success.encoded.count
    for command in commands {
      let range: (offset: Int, count: Int)
      switch command {
      case .read(let offset, let octets):
        range = (offset, octets)
        count += 2 + octets
      case .write(let offset, let octets): range = (offset, octets.count)
      case .set(let offset, let octets, _): range = (offset, octets)
      }
      guard range.offset + range.count <= settings.size, count <= Self.answerLimit else {
        return false
      }
    }
    return true
  }

  /// The written positions as runs.
  private static func writes(of overlay: [UInt8?]) -> [MailboxWrite] {
    var writes: [MailboxWrite] = []
    var run: [UInt8] = []
    for (position, octet) in (overlay + [nil]).enumerated() {
      if let octet {
        run.append(octet)
      } else if !run.isEmpty {
        writes.append(MailboxWrite(offset: position - run.count, octets: run))
        run = []
      }
    }
    return writes
  }
}
