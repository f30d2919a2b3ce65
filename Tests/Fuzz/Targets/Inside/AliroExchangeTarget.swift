#if DEBUG || LIBFUZZER
  import WireCoding

  @testable import AliroEngine

  extension FuzzTarget {
    /// The plaintexts of a session's EXCHANGEs: the mailbox does what a plain model of it does.
    ///
    /// Records: the first one's kind chooses size and permissions of the mailbox.
    static let aliroExchange = FuzzTarget("aliro-exchange", isList: true) { input in
      let records = Records(input).list
      var model = MailboxModel(choice: records.first?.kind ?? 0)
      var session = MailboxSession(model.settings)
      for record in records {
        guard let command = try? ExchangeCommand(record.octets) else { continue }
        require(ExchangeTarget.isReadable(command.notice?.words), "notices are plain words")
        require(ExchangeTarget.isReadable(command.readerStatus?.words), "status is plain words")
        guard let mailbox = command.mailbox else { continue }
        let again = try? MailboxCommands(ExchangeTarget.encode(mailbox))
        require(again == mailbox, "written and read back")
        let expected = model.run(mailbox)
        let result = try? session.run(mailbox, contents: model.contents)
        require(result?.answer == expected?.answer, "the answer of the model")
        // A permission that is missing ends the transaction.
        guard let result, let expected else { return }
        ExchangeTarget.check(result.writes, within: model.settings.size)
        model.apply(result.writes)
        require(model.contents == expected.contents, "the contents of the model")
        require(session.isOpen == model.isOpen, "an atomic session as in the model")
      }
    }
  }

  private enum ExchangeTarget {
    static func isReadable(_ words: String?) -> Bool {
      (words ?? "-").utf8.allSatisfy { (0x20...0x7E).contains($0) } && words?.isEmpty != true
    }

    static func encode(_ commands: MailboxCommands) -> [UInt8] {
      var writer = TLVWriter()
      try? writer.append(0x8C, [commands.hasMore ? 1 : 0])
      for command in commands.commands {
        switch command {
        case .read(let offset, let count):
          try? writer.append(0x87, two(offset) + two(count))
        case .write(let offset, let octets):
          try? writer.append(0x8A, two(offset) + octets)
        case .set(let offset, let count, let value):
          try? writer.append(0x95, two(offset) + two(count) + [value])
        }
      }
      return writer.bytes
    }

    static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    static func check(_ writes: [MailboxWrite], within size: Int) {
      var end = -1
      for write in writes {
        require(write.offset > end && !write.octets.isEmpty, "ascending, none touching another")
        end = write.offset + write.octets.count
        require(end <= size, "within the mailbox")
      }
    }
  }

  /// A mailbox that keeps whole copies of itself.
  private struct MailboxModel {
    let settings: MailboxSettings
    private(set) var contents: [UInt8]
    /// What an atomic session has made of the contents.
    private var draft: [UInt8]?

    init(choice: UInt8) {
      let sizes = [1, 7, 300, 4096]
      settings = MailboxSettings(
        size: sizes[Int(choice & 3)], isReadable: choice & 4 == 0, isWritable: choice & 8 == 0,
        isUsableInStepUp: false)
      contents = (0..<settings.size).map { UInt8(truncatingIfNeeded: $0) }
    }

    var isOpen: Bool { draft != nil }

    mutating func apply(_ writes: [MailboxWrite]) {
      for write in writes {
        contents.replaceSubrange(
          write.offset..<write.offset + write.octets.count, with: write.octets)
      }
    }

    /// Carries commands out; `contents` of the result is what the mailbox is afterwards.
    ///
    /// - Returns: `nil` when a permission is missing.
    mutating func run(_ commands: MailboxCommands) -> (answer: [UInt8], contents: [UInt8])? {
      var answer: [UInt8] = []
      var next = draft ?? contents
      var isInRange = true
      for command in commands.commands {
        switch command {
        case .read(let offset, let count):
          guard settings.isReadable else { return nil }
          isInRange = isInRange && offset + count <= settings.size
          if isInRange { answer += ExchangeTarget.two(count) + contents[offset..<offset + count] }
          isInRange = isInRange && answer.count + 4 <= 16 << 10
        case .write(let offset, let octets):
          guard settings.isWritable else { return nil }
          isInRange = isInRange && offset + octets.count <= settings.size
          if isInRange { next.replaceSubrange(offset..<offset + octets.count, with: octets) }
        case .set(let offset, let count, let value):
          guard settings.isWritable else { return nil }
          isInRange = isInRange && offset + count <= settings.size
          if isInRange { for place in offset..<offset + count { next[place] = value } }
        }
      }
      guard isInRange else { return ([0x00, 0x02, 0xFF, 0xFF], contents) }
      draft = commands.hasMore ? next : nil
      return (answer + [0x00, 0x02, 0x00, 0x00], commands.hasMore ? contents : next)
    }
  }
#endif
