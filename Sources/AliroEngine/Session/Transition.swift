/// What a message leads to, before it is encoded.
struct Transition: ~Copyable {
  var phase: Phase
  var messages: [BLEMessage] = []
  var events: [PresentationEvent] = []
  var statusWord: StatusWord?

  /// Goes to a phase, saying nothing.
  init(_ phase: consuming Phase, events: [PresentationEvent] = []) {
    self.phase = phase
    self.events = events
  }

  /// Answers a command.
  init(
    _ phase: consuming Phase, answer data: [UInt8] = [], _ statusWord: StatusWord,
    events: [PresentationEvent] = []
  ) {
    self.phase = phase
    self.events = events
    self.statusWord = statusWord
    messages = [.response(data, statusWord)]
  }
}
