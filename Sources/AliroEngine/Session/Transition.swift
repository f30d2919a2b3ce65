/// What a message leads to, before it is encoded.
struct Transition: ~Copyable {
  var phase: Phase
  /// The answer to a command, or what is left of it.
  var answer: ResponseChain?
  /// How much of the answer the reader asks for, where it says so.
  var wanted: Int?
  /// Messages other than answers, encrypted where they must be.
  var notifications: [BLEMessage] = []
  var events: [PresentationEvent] = []
  var changes: [PresentationChange] = []
  var ranging: [RangingMessage] = []
  /// Whether the user's confirmation has served its transaction with it.
  var usesConfirmation = false

  /// Goes to a phase, saying nothing.
  init(_ phase: consuming Phase, events: [PresentationEvent] = []) {
    self.phase = phase
    self.events = events
  }

  /// Answers a command.
  init(
    _ phase: consuming Phase, answer data: [UInt8] = [], _ statusWord: StatusWord,
    events: [PresentationEvent] = [], changes: [PresentationChange] = []
  ) {
    self.phase = phase
    self.events = events
    self.changes = changes
    answer = ResponseChain(data, statusWord)
  }
}
