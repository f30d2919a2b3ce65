/// The secure channels of a session (section 8), which hold all that is kept of its keys.
struct SessionChannels: ~Copyable {
  /// AUTH1's answer and EXCHANGE; in step-up ENVELOPE and EXCHANGE.
  private var commands: ChannelPair
  /// What takes the place of `commands` in step-up; `nil` once it has, and after AUTH0's fast form,
  /// which makes no such keys.
  private var stepUp: ChannelPair?
  /// Notifications; `nil` over NFC.
  private var notifications: BLEChannel?

  /// Whether step-up has begun.
  private(set) var isInStepUp = false

  /// Whether ENVELOPE can be answered, now or once step-up has begun.
  var hasStepUp: Bool { isInStepUp || stepUp != nil }

  /// Derives the channels from the keys of AUTH1: ExpeditedSKReader, ExpeditedSKDevice, StepUpSK
  /// and BleSK.
  init(
    standard keys: borrowing KeyBlock, _ configuration: PresentationConfiguration
  ) throws(Failure) {
    // All are made before one is stored: a half-made move-only value cannot be undone.
    let commands = try ChannelPair(readerKey: keys.key(0), deviceKey: keys.key(1))
    let root = try keys.key(2)
    let stepUp = try ChannelPair(root: root, salt: [], label: "SK")
    let notifications = try Self.notifications(keys, configuration)
    self.commands = commands
    self.stepUp = consume stepUp
    self.notifications = notifications
  }

  /// Derives the channels from the keys of AUTH0's fast form: CryptogramSK, ExpeditedSKReader,
  /// ExpeditedSKDevice and BleSK.
  init(
    fast keys: borrowing KeyBlock, _ configuration: PresentationConfiguration
  ) throws(Failure) {
    let commands = try ChannelPair(readerKey: keys.key(1), deviceKey: keys.key(2))
    let notifications = try Self.notifications(keys, configuration)
    self.commands = commands
    stepUp = nil
    self.notifications = notifications
  }

  /// BleSK is the fourth key of either block.
  private static func notifications(
    _ keys: borrowing KeyBlock, _ configuration: PresentationConfiguration
  ) throws(Failure) -> BLEChannel? {
    guard let salt = configuration.channelSalt else { return nil }
    let root = try keys.key(3)
    return try BLEChannel(root: root, salt: salt)
  }

  /// Goes over to step-up; the keys of the expedited phase are dropped.
  mutating func beginStepUp() throws(Failure) {
    guard let stepUp = stepUp.take() else {
      throw .wrongState("The reader wants step-up without AUTH1, or a second time.")
    }
    commands = stepUp
    isInStepUp = true
  }

  /// Decrypts the data of an EXCHANGE or ENVELOPE.
  mutating func open(command sealed: [UInt8]) throws(Failure) -> [UInt8] {
    guard sealed.count >= 16, let plaintext = try commands.open(sealed) else {
      throw Failure(
        statusWord: .securityStatus,
        refusal: Refusal(.protocolError, "An encrypted command of the reader does not verify."))
    }
    return plaintext
  }

  /// Encrypts an answer.
  mutating func seal(answer plaintext: [UInt8]) throws(Failure) -> [UInt8] {
    try commands.seal(plaintext)
  }

  /// Decrypts a notification of the reader.
  mutating func open(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    guard let opened = try notifications?.open(message) else { throw Self.noNotifications }
    return opened
  }

  /// Encrypts a notification to the reader.
  mutating func seal(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    guard let sealed = try notifications?.seal(message) else { throw Self.noNotifications }
    return sealed
  }

  private static let noNotifications = Failure.message("There are no notifications over NFC.")
}
