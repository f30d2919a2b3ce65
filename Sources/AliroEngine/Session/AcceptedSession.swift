/// A session that has channels: with a reader that has shown its signature, or that is about to show
/// that it has the persistent key.
///
/// After AUTH0's fast form a reader that is not known has one as well, a decoy: nobody else has its
/// keys, so that nothing the reader sends over the channels verifies, and everything is refused as it
/// is to a reader that is known and has not got the key.
struct AcceptedSession: ~Copyable {
  private var channels: SessionChannels
  /// What is shown over the channels; `nil` in a decoy, which shows nothing.
  private let credential: UsableCredential?
  private var mailbox: MailboxSession?
  private var isReaderAuthenticated: Bool
  private(set) var ranging = RangingStanding.keyless

  /// Begins with channels of which at most AUTH1's answer has gone.
  init(
    _ channels: consuming SessionChannels, of credential: UsableCredential?,
    isReaderAuthenticated: Bool
  ) {
    self.channels = channels
    self.credential = credential
    self.isReaderAuthenticated = isReaderAuthenticated
    mailbox = credential?.mailbox.map { MailboxSession($0) }
  }

  /// Whether the channels lead nowhere; the caller may know, the reader may not.
  var isDecoy: Bool { credential == nil }

  /// Whether ENVELOPE can be answered, now or once step-up has begun.
  var hasStepUp: Bool { channels.hasStepUp }

  /// Whether the reader has an atomic session of the mailbox under way.
  var isInAtomicSession: Bool { mailbox?.isOpen == true }

  /// What the first message of the reader that decrypts shows.
  private mutating func authenticate() -> [PresentationEvent] {
    guard !isReaderAuthenticated else { return [] }
    isReaderAuthenticated = true
    return [PresentationEvent(.readerAuthenticated)]
  }
}

// MARK: - Commands

extension AcceptedSession {
  /// The answer to an encrypted command.
  struct Answer {
    /// What goes out before its status word, 9000.
    var data: [UInt8] = []
    var events: [PresentationEvent]
    var changes: [PresentationChange] = []
    /// Whether the reader has ended the transaction with it.
    var isLast = false
  }

  /// EXCHANGE (section 9).
  mutating func exchange(
    _ data: [UInt8], _ surroundings: Surroundings
  ) throws(Failure) -> Answer {
    let plaintext = try channels.open(command: data)
    var answer = Answer(events: authenticate())
    let command = try ExchangeCommand(plaintext)
    guard !command.updatesDocument else {
      throw .malformed("The reader wants to update a document, which this device does not offer.")
    }
    if let notice = command.notice {
      answer.events.append(notice.event)
    }
    if let status = command.readerStatus {
      guard surroundings.configuration.interface == .nfc else {
        throw .malformed("The reader sent its status in a command, which is for NFC alone.")
      }
      answer.events.append(status.event)
      answer.isLast = true
    }
    if command.wantsRanging {
      guard ranging == .keyless else {
        throw .malformed("The reader wants the ranging key a second time.")
      }
      ranging = .keyed
    }
    var result = ExchangeResult.success.encoded
    if let commands = command.mailbox {
      let (octets, writes) = try run(commands, surroundings.memory)
      result = octets
      if !writes.isEmpty { answer.changes = [.mailbox(writes)] }
    }
    answer.data = try channels.seal(answer: result)
    return answer
  }

  /// Carries out mailbox commands, where the mailbox may be used.
  private mutating func run(
    _ commands: MailboxCommands, _ memory: any PresentationMemory
  ) throws(Failure) -> (answer: [UInt8], writes: [MailboxWrite]) {
    guard var mailbox, credential?.mailbox?.isUsableInStepUp == true || !channels.isInStepUp else {
      throw .malformed("The reader wants a mailbox that there is not.")
    }
    let contents = try computing { try memory.mailbox() }
    let result = try mailbox.run(commands, contents: contents ?? [])
    self.mailbox = mailbox
    return result
  }

  /// SELECT of the step-up application.
  mutating func selectStepUp() throws(Failure) {
    try channels.beginStepUp()
  }

  /// ENVELOPE (section 11).
  mutating func envelope(
    _ data: [UInt8], _ surroundings: Surroundings
  ) throws(Failure) -> Answer {
    let sealed = try StepUpEnvelope.sealed(in: data)
    if !channels.isInStepUp {
      // Over BLE there is nothing to select; the reader just begins.
      guard surroundings.configuration.interface == .ble else {
        throw .wrongState("The reader has not selected the step-up application.")
      }
      try channels.beginStepUp()
    }
    let request = try channels.open(command: sealed)
    let response = DeviceResponse.answer(
      to: request, from: credential?.shownDocuments ?? CredentialDocuments())
    let envelope = StepUpEnvelope.encode(try channels.seal(answer: response))
    return Answer(data: envelope, events: [])
  }
}

// MARK: - Notifications

extension AcceptedSession {
  /// Decrypts a notification of the reader.
  mutating func open(
    _ message: BLEMessage
  ) throws(Failure) -> (message: BLEMessage, events: [PresentationEvent]) {
    let opened = try channels.open(message)
    return (opened, authenticate())
  }

  /// Encrypts a notification to the reader.
  mutating func seal(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    try channels.seal(message)
  }

  /// Follows a message of the ranging set-up that is passed on.
  mutating func follow(_ kind: RangingMessage.Kind) {
    ranging.follow(kind)
  }
}

extension ReaderStatus {
  /// How the transaction ended; a bolt that is stuck is neither granted nor denied.
  fileprivate var event: PresentationEvent {
    switch lockStatus {
    case nil: PresentationEvent(.accessDenied, words)
    case .jammed: PresentationEvent(.status, words)
    default: PresentationEvent(.accessGranted, words)
    }
  }
}

extension ReaderNotice {
  fileprivate var event: PresentationEvent {
    if case .error = self {
      PresentationEvent(.error, words)
    } else {
      PresentationEvent(.status, words)
    }
  }
}
