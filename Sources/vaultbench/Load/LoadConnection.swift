/// A connection that sends prepared lines and counts the answers, as cheaply as can be: what it
/// costs itself is taken from the processor that the vault runs on.
final class LoadConnection {
  /// What some requests came to.
  struct Outcome {
    /// Answers that came.
    var answers = 0
    /// Those of them that are errors.
    var errors = 0
  }

  /// How many octets of an answer stand before `result` or `error`.
  private static let prefix = #"{"jsonrpc":"2.0","id":1,""#.utf8.count

  private let socket: LineSocket

  /// Connects.
  init(_ path: String) throws(BenchFailure) {
    socket = try LineSocket(path)
  }

  /// Makes one call that must succeed.
  func ask(_ request: LoadRequest) throws(BenchFailure) {
    try socket.send(request.octets)
    var outcome = Outcome()
    while outcome.answers == 0 { try receive(&outcome) }
    guard outcome.errors == 0 else {
      throw BenchFailure("the vault refused: \(String(decoding: request.octets, as: UTF8.self))")
    }
  }

  /// Keeps some requests in flight until a moment has passed, then waits for the last answers.
  ///
  /// - Parameters:
  ///   - request: what is sent again and again.
  ///   - window: how many wait for their answers at any time.
  ///   - end: when no more are sent.
  /// - Returns: the answers.
  /// - Throws: ``BenchFailure``.
  func flood(
    _ request: LoadRequest, window: Int, until end: Moment
  ) throws(BenchFailure) -> Outcome {
    var outcome = Outcome()
    var sent = window
    try send(request, times: window)
    while outcome.answers < sent {
      let before = outcome.answers
      try receive(&outcome)
      guard !end.hasPassed else { continue }
      try send(request, times: outcome.answers - before)
      sent += outcome.answers - before
    }
    return outcome
  }

  /// Sends requests of a list, some in flight, and waits for all answers, none of which may be an
  /// error.
  func sendAll(
    _ count: Int, window: Int, _ request: (Int) -> LoadRequest
  ) throws(BenchFailure) {
    var outcome = Outcome()
    var sent = 0
    while outcome.answers < count {
      var lines: [UInt8] = []
      while sent < count, sent - outcome.answers < window {
        lines += request(sent).octets
        sent += 1
      }
      try socket.send(lines)
      try receive(&outcome)
      try Interruption.check()
    }
    guard outcome.errors == 0 else {
      throw BenchFailure("the vault refused \(outcome.errors) calls")
    }
  }

  private func send(_ request: LoadRequest, times: Int) throws(BenchFailure) {
    var octets: [UInt8] = []
    for _ in 0..<times { octets += request.octets }
    try socket.send(octets)
  }

  private func receive(_ outcome: inout Outcome) throws(BenchFailure) {
    var answers = 0
    var errors = 0
    try socket.receive { line in
      answers += 1
      if line.dropFirst(Self.prefix).first != UInt8(ascii: "r") { errors += 1 }
    }
    outcome.answers += answers
    outcome.errors += errors
  }
}
