import Glibc

/// The answers a client has not taken yet, in their order: ordinary memory, but guarded memory for
/// those that hold secrets.
struct OutputQueue: ~Copyable {
  /// How sending went.
  enum Outcome {
    /// Everything is out.
    case sent
    /// The client's buffer is full.
    case blocked
    /// The connection is gone.
    case failed
  }

  /// An answer that holds secrets, and how many of the other octets go before it.
  private struct Secret {
    let line: SecretAnswerLine
    var before: Int
    /// Whether it was taken out of the budget.
    let isCounted: Bool
  }

  private var octets: [UInt8] = []
  private var sentCount = 0
  private var secrets: [Secret] = []
  /// How much of the first of the secret answers is out.
  private var secretSent = 0
  private var secretCount = 0
  private let budget: LockedBudget

  /// Starts empty.
  ///
  /// - Parameter budget: what the locked memory of answers with secrets is taken out of.
  init(budget: LockedBudget) {
    self.budget = budget
  }

  /// The octets still to be sent.
  var count: Int { octets.count - sentCount + secretCount - secretSent }

  var isEmpty: Bool { count == 0 }

  /// Adds octets behind those already there.
  mutating func append(_ answer: ArraySlice<UInt8>, from pool: inout BufferPool) {
    if octets.capacity == 0 { octets = pool.take() }
    octets.append(contentsOf: answer)
  }

  /// Adds an answer that holds secrets.
  ///
  /// The first one that waits is let in whatever others use: the connection has no more than that.
  ///
  /// - Returns: `false`, and nothing is added, when too much locked memory is in use.
  mutating func append(_ answer: SecretAnswerLine) -> Bool {
    let isCounted = !secrets.isEmpty
    guard !isCounted || budget.take(answer.count) else { return false }
    secrets.append(
      Secret(line: answer, before: octets.count - sentCount, isCounted: isCounted))
    secretCount += answer.count
    return true
  }

  /// Sends what the socket takes, in one call unless there are answers with secrets.
  ///
  /// Everything else that waits is contiguous, so that one `send` does what a `writev` over single
  /// answers would.
  mutating func send(to socket: Int32, returningTo pool: inout BufferPool) -> Outcome {
    guard !isEmpty else { return .sent }
    while let first = secrets.first {
      let outcome =
        first.before > 0 ? sendOctets(first.before, to: socket) : send(first, to: socket)
      guard outcome == .sent else { return outcome }
    }
    let outcome = sendOctets(octets.count - sentCount, to: socket)
    guard outcome == .sent, octets.capacity > 0 else { return outcome }
    var emptied: [UInt8] = []
    swap(&emptied, &octets)
    sentCount = 0
    pool.giveBack(emptied)
    return .sent
  }

  /// Sends some of the ordinary octets.
  private mutating func sendOctets(_ wanted: Int, to socket: Int32) -> Outcome {
    guard wanted > 0 else { return .sent }
    let sent = octets.span.extracting(sentCount..<sentCount + wanted).send(to: socket)
    guard sent >= 0 else { return Self.outcome(errno: -sent) }
    sentCount += sent
    if !secrets.isEmpty {
      for index in secrets.indices { secrets[index].before -= sent }
    }
    guard sent < wanted else { return .sent }
    dropSent()
    return .blocked
  }

  /// Sends what is left of the first answer with secrets, and lets it go when it is out.
  private mutating func send(_ first: Secret, to socket: Int32) -> Outcome {
    let (line, start) = (first.line, secretSent)
    let sent = line.withBytes { octets in
      octets.extracting(start..<octets.count).send(to: socket)
    }
    if sent < line.count - start { dropSent() }
    guard sent >= 0 else { return Self.outcome(errno: -sent) }
    secretSent += sent
    guard secretSent == line.count else { return .blocked }
    secrets.removeFirst()
    secretSent = 0
    secretCount -= line.count
    if first.isCounted { budget.giveBack(line.count) }
    return .sent
  }

  private static func outcome(errno: Int) -> Outcome {
    errno == Int(EAGAIN) || errno == Int(EINTR) || errno == Int(ENOBUFS) ? .blocked : .failed
  }

  /// Moves the rest to the front once more than half is out, so that each octet moves once at most.
  private mutating func dropSent() {
    guard sentCount > octets.count / 2 else { return }
    octets.removeFirst(sentCount)
    sentCount = 0
  }

  deinit {
    for secret in secrets where secret.isCounted { budget.giveBack(secret.line.count) }
  }
}

extension Span<UInt8> {
  /// Hands octets to a socket, without waiting.
  ///
  /// - Returns: how many it took, or the negative `errno`.
  fileprivate func send(to socket: Int32) -> Int {
    guard !isEmpty else { return 0 }
    return unsafe withUnsafeBufferPointer { octets in
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let sent = unsafe Glibc.send(socket, octets.baseAddress, octets.count, flags)
      return sent < 0 ? -Int(errno) : sent
    }
  }
}

/// A few output buffers that connections of one thread take turns with, so that idle ones hold
/// none.
struct BufferPool {
  private static let limit = 8
  private static let largest = 64 << 10
  private var buffers: [[UInt8]] = []

  mutating func take() -> [UInt8] {
    if let spare = buffers.popLast() { return spare }
    var made: [UInt8] = []
    made.reserveCapacity(4096)
    return made
  }

  mutating func giveBack(_ buffer: consuming [UInt8]) {
    guard buffers.count < Self.limit, buffer.capacity <= Self.largest else { return }
    buffer.removeAll(keepingCapacity: true)
    buffers.append(buffer)
  }
}
