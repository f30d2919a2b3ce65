import Glibc
import Synchronization

/// Where an I/O thread gets answers, new connections and orders from, its own answers included.
///
/// Whoever posts learns whether the thread has to be woken: only when it sleeps, and only the first
/// to post while it does. So a busy thread costs nobody a system call.
final class Mailbox: Sendable {
  /// An order for the thread.
  enum Command: Sendable {
    /// Serve a new connection.
    case adopt(OwnedDescriptor, ConnectionInfo, CallerShare, PeerProcess)
    /// Read no more; finish what is in flight, and end all the same at the deadline.
    case drain(deadline: Instant)
  }

  /// What has come in since the thread last looked.
  struct Contents {
    /// Whom each answer is for, how many octets it has with its newline, and the line itself when
    /// it holds secrets.
    var answers: [(token: UInt64, count: Int, secret: SecretAnswerLine?)] = []
    /// The octets of the other answers, one after the other.
    var octets: [UInt8] = []
    /// The octets of the answers that hold secrets.
    var secretCount = 0
    var commands: [Command] = []

    var isEmpty: Bool { answers.isEmpty && commands.isEmpty }

    /// Empties it for the next round; a buffer that grew for a rare burst is not kept.
    mutating func reset() {
      commands.removeAll(keepingCapacity: true)
      secretCount = 0
      answers.removeAll(keepingCapacity: answers.count <= 4096)
      octets.removeAll(keepingCapacity: octets.count <= 256 << 10)
    }
  }

  private struct State {
    var contents = Contents()
    var isSleeping = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let bell: EventCounter

  init() throws(ServerError) {
    bell = try EventCounter()
  }

  /// What the thread polls to be woken.
  var descriptor: Int32 { bell.descriptor.number }

  /// The octets of the answers that the thread has not collected.
  var waitingCount: Int {
    state.withLock { $0.contents.octets.count + $0.contents.secretCount }
  }

  /// Wakes the thread.
  func ring() {
    bell.ring()
  }

  /// Leaves an answer.
  ///
  /// - Returns: whether the caller has to ``ring()``.
  func post(_ line: Span<UInt8>, to token: UInt64) -> Bool {
    // A newline inside an answer would make two of it, the second for another request.
    guard !line.contains(newline) else {
      return post(FramingRefusal.internalError.line.span, to: token)
    }
    return state.withLock { state in
      guard !state.isClosed else { return false }
      state.contents.answers.append((token, line.count + 1, nil))
      unsafe line.withUnsafeBufferPointer { unsafe state.contents.octets.append(contentsOf: $0) }
      state.contents.octets.append(newline)
      return Self.wakes(&state)
    }
  }

  /// Leaves an answer that holds secrets.
  ///
  /// - Returns: whether the caller has to ``ring()``.
  func post(_ line: SecretAnswerLine, to token: UInt64) -> Bool {
    guard line.isOneLine else { return post(FramingRefusal.internalError.line.span, to: token) }
    return state.withLock { state in
      guard !state.isClosed else { return false }
      state.contents.answers.append((token, line.count, line))
      state.contents.secretCount += line.count
      return Self.wakes(&state)
    }
  }

  /// Leaves an order and wakes the thread.
  ///
  /// - Returns: `false` when the thread has ended.
  @discardableResult
  func post(_ command: Command) -> Bool {
    let (isOpen, mustRing) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.contents.commands.append(command)
      return (true, Self.wakes(&state))
    }
    if mustRing { ring() }
    return isOpen
  }

  private static func wakes(_ state: inout State) -> Bool {
    defer { state.isSleeping = false }
    return state.isSleeping
  }

  /// Exchanges what has come in for an empty buffer.
  ///
  /// - Returns: `false` when nothing has come in; `buffer` is left alone then.
  func collect(into buffer: inout Contents) -> Bool {
    state.withLock { state in
      state.isSleeping = false
      guard !state.contents.isEmpty else { return false }
      swap(&state.contents, &buffer)
      return true
    }
  }

  /// Says that the thread is about to wait.
  ///
  /// - Returns: `false` when something has come in, so that it must not.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      guard state.contents.isEmpty else { return false }
      state.isSleeping = true
      return true
    }
  }

  /// Ends the post: later answers go nowhere.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.contents = Contents()
    }
  }
}
