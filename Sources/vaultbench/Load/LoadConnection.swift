import CVaultSystem
import Glibc

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

  /// An answer starts like this, and goes on with `result` or `error`.
  private static let prefix = Array(#"{"jsonrpc":"2.0","id":1,""#.utf8)

  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// The octets at the front of the buffer that are half a line.
  private var held = 0

  /// Connects.
  init(_ path: String) throws(BenchFailure) {
    socket = unsafe vault_connect_unix(path)
    guard socket >= 0 else { throw BenchFailure("\(path): \(SystemText.error(-socket))") }
    // Connecting did not wait; the rest does.
    let flags = fcntl(socket, F_GETFL)
    _ = fcntl(socket, F_SETFL, flags & ~O_NONBLOCK)
  }

  deinit { close(socket) }

  /// Makes one call that must succeed.
  func ask(_ request: LoadRequest) throws(BenchFailure) {
    try send(request.octets, times: 1)
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
  /// - Returns: what became of them.
  /// - Throws: ``BenchFailure``.
  func flood(
    _ request: LoadRequest, window: Int, until end: Moment
  ) throws(BenchFailure) -> Outcome {
    var outcome = Outcome()
    var sent = window
    try send(request.octets, times: window)
    while outcome.answers < sent {
      let before = outcome.answers
      try receive(&outcome)
      guard !end.hasPassed else { continue }
      try send(request.octets, times: outcome.answers - before)
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
      try send(lines, times: 1)
      try receive(&outcome)
      try Interruption.check()
    }
    guard outcome.errors == 0 else {
      throw BenchFailure("the vault refused \(outcome.errors) calls")
    }
  }

  private func send(_ line: [UInt8], times: Int) throws(BenchFailure) {
    guard times > 0, !line.isEmpty else { return }
    var octets = line
    for _ in 1..<times { octets += line }
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("send", errno) }
      start += count
    }
  }

  /// Waits for octets and counts the answers that are complete with them.
  private func receive(_ outcome: inout Outcome) throws(BenchFailure) {
    if held == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[held...])
      return unsafe recv(socket, room.baseAddress, room.count, 0)
    }
    if count < 0, errno == EINTR { return try Interruption.check() }
    guard count > 0 else { throw BenchFailure("the vault has closed the connection") }
    var start = 0
    let end = held + count
    while let feed = buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) {
      outcome.answers += 1
      let place = start + Self.prefix.count
      if place >= feed || buffer[place] != UInt8(ascii: "r") { outcome.errors += 1 }
      start = feed + 1
    }
    buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
    held = end - start
  }
}
