import AliroEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// The reader's side of a session for the harness: it says anything, knows every key of the session,
/// and holds each step against what must be.
struct FuzzReader: ~Copyable {
  let signer = CountingSigner()
  let memory: FuzzMemory
  let setting: FuzzSetting
  let keys = FuzzKeys()
  var moment = AliroWorld.moment

  private var presentation: AliroPresentation
  /// Until when AUTH0 may come, in milliseconds of uptime.
  private var deadline: Int64?
  private var leaks = LeakWatch()

  // What is known of the transaction; see FuzzReader+Follow.
  var transaction: TransactionKeys?
  var certificate: AliroWorld.Certificate?
  /// Whether the reader has loaded a certificate, whichever.
  var hasLoaded = false
  /// EXCHANGE, and in step-up ENVELOPE.
  var commands: FuzzChannel?
  var stepUp: FuzzChannel?
  var notifications: FuzzChannel?
  /// The parts of a command that is not whole yet.
  var chained: [UInt8] = []
  /// The answer that is not whole yet.
  var awaited: AwaitedAnswer?
  /// How many AUTH0 were answered: there is a signature for each at most.
  var transactions = 0
  /// How many of them demanded that the user be authenticated.
  var demands = 0
  /// What the next command's data decrypts to.
  var plaintext: [UInt8] = []
  var hasRangingKey = false

  init(_ setting: FuzzSetting) {
    self.setting = setting
    memory = FuzzMemory(setting.mailbox)
    presentation = setting.presentation(signer, keys)
    leaks.watch([Self.credentialScalar, FuzzKeys.decoy] + Self.ephemeralScalars)
    let step = presentation.start(at: moment)
    check(step, answers: false)
    require(step.messages == setting.firstMessages, "the device begins over BLE alone")
    deadline = step.timeout.map { moment.uptime + $0 }
  }

  private static let credentialScalar = Vectors.aliro.octets("privateKeys.credential")
  private static let ephemeralScalars = (1...3).map {
    Vectors.aliro.octets("privateKeys.deviceEphemeral\($0)")
  }

  var state: PresentationState { presentation.state }

  /// Whether nothing more can come of the session.
  var isOver: Bool { [.finished, .failed, .closed].contains(state) }

  /// Hands a message over as it is.
  mutating func receive(_ message: [UInt8]) -> PresentationStep {
    let (before, wasOver, signatures) = (state, isOver, signer.transcripts.count)
    if wasOver { drop() }
    let isLate = deadline.map { moment.uptime > $0 } ?? false
    let step = presentation.receive(message.span, at: moment, memory: memory)
    check(step, answers: true)
    if wasOver { checkSilence(step, before) }
    if isLate && !wasOver {
      require(step.state == .failed && step.messages.isEmpty, "a late reader is left in silence")
    }
    require(signer.transcripts.count - signatures <= 1, "one signature a message")
    require(signer.transcripts.count <= transactions, "one signature a transaction")
    require(
      wasOver || (step.state == .failed) == (step.refusal != nil), "a failure has a reason")
    deadline = step.timeout.map { moment.uptime + $0 }
    return step
  }

  mutating func request(_ request: ReaderRequest) -> PresentationStep {
    let before = state
    let step = presentation.request(request, at: moment)
    check(step, answers: false)
    require(step.events.isEmpty && step.changes.isEmpty, "a request changes nothing kept")
    require(before == .accepted || step.refusal != nil, "requests are for who was accepted")
    if step.refusal != nil && step.state != .failed { checkSilence(step, before) }
    return step
  }

  mutating func close() {
    let step = presentation.close()
    require(step.state == .closed && step.messages.isEmpty, "closing says nothing")
    drop()
  }

  /// The transaction is over, or another begins.
  mutating func drop() {
    (commands, stepUp, notifications, transaction) = (nil, nil, nil, nil)
    (certificate, hasLoaded, awaited, chained) = (nil, false, nil, [])
    hasRangingKey = false
  }

  /// Watches for keys from now on.
  mutating func watch(_ secrets: [[UInt8]]) { leaks.watch(secrets) }

  /// Looks for keys in what has been decrypted.
  func look(_ octets: [UInt8]) { leaks.check(octets) }

  private func checkSilence(_ step: PresentationStep, _ before: PresentationState) {
    let isSilent =
      step.messages.isEmpty && step.events.isEmpty && step.changes.isEmpty && step.ranging.isEmpty
    require(isSilent && step.statusWord == nil, "what is over, or cannot be, is silent")
    require(step.state == before && step.refusal != nil, "and stays what it was, with a reason")
  }

  /// What holds for every step.
  private func check(_ step: PresentationStep, answers: Bool) {
    require(step.state == presentation.state, "the step tells the state")
    require(step.messages.count <= 1, "one message at most")
    require(answers || step.statusWord == nil, "nothing but a command is answered")
    checkForm(step)
    let isWaiting = step.state == .awaitingAuth0 && !setting.isNFC
    require(step.timeout.map { (0...2500).contains($0) } ?? !isWaiting, "time for AUTH0 alone")
    require(isWaiting || step.timeout == nil, "time for AUTH0 alone")
    let isFailing = step.events.last?.kind == .failed
    require(step.events.isEmpty || isFailing == (step.state == .failed), "failing is an event")
    let presented = step.events.count { $0.kind == .credentialPresented }
    require(presented <= (answers ? 1 : 0), "a credential is presented to a command")
    let isSuccess = step.statusWord.map { $0 == 0x9000 || $0 >> 8 == 0x61 } ?? false
    require(step.changes.isEmpty || isSuccess, "changes come with an answer")
    require(presented == 0 || isSuccess && !isOver, "a credential is presented with an answer")
    require(step.ranging.isEmpty || hasRangingKey, "ranging after the reader had the key made")
    for message in step.messages { leaks.check(message) }
    for message in step.ranging { leaks.check(message.payload) }
    for event in step.events { leaks.check(event.detail) }
    leaks.check(step.refusal?.message)
  }

  /// The message is one of the transport, with the status word that the step tells.
  private func checkForm(_ step: PresentationStep) {
    guard let message = step.messages.first else {
      return require(step.statusWord == nil, "a status word is sent")
    }
    var answer = message
    if !setting.isNFC {
      require(message.count >= 4 && message.count <= 4096, "a message of the channel")
      let count = Int(message[2]) << 8 | Int(message[3])
      require(count == message.count - 4, "a message has its length")
      require((message[0] == 0) == (step.statusWord != nil), "answers are of protocol 0")
      guard step.statusWord != nil else { return }
      require(message[1] == 1, "an answer is a response")
      answer = Array(message[4...])
    }
    require((2...256).contains(answer.count), "an answer is short")
    let word = UInt16(answer[answer.count - 2]) << 8 | UInt16(answer[answer.count - 1])
    require(word == step.statusWord, "the step tells the status word")
    require(Self.words.contains(word) || word >> 8 == 0x61, "a status word of the protocol")
  }

  private static let words: Set<UInt16> = [
    0x9000, 0x6A82, 0x6A86, 0x6A88, 0x6800, 0x6701, 0x6D00, 0x6985, 0x6982, 0x6400, 0x6900,
  ]
}
