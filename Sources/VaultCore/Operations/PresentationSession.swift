import AliroEngine
import Synchronization

/// One Aliro transaction under way: its engine, and what its answers depend on.
final class PresentationSession: Sendable {
  private struct Running: ~Copyable {
    /// The engine; `nil` once the session has ended and its keys are wiped.
    var engine: AliroPresentation?
    /// Whether a change that the engine asked for is on its way to the disk.
    var isSettling = false
  }

  let id: [UInt8]
  /// The connection that opened it; no other may use it.
  let connection: UInt64
  /// The user id behind the connection.
  let user: UInt32
  let fence: Fence
  /// When it ends by itself, in boot-time seconds.
  let deadline: Int64
  private let running: Mutex<Running>
  /// Whether it has ended, to be asked without waiting for the engine.
  let isOver = Atomic(false)

  init(
    id: [UInt8], connection: UInt64, user: UInt32, fence: Fence, deadline: Int64,
    engine: consuming sending AliroPresentation
  ) {
    self.id = id
    self.connection = connection
    self.user = user
    self.fence = fence
    self.deadline = deadline
    running = Mutex(Running(engine: engine))
  }

  /// Lets the engine take a step; once the transaction has ended its keys are wiped.
  ///
  /// After a step with changes no other is taken until ``settle()`` was called: the engine would not
  /// see what it has changed itself.
  ///
  /// - Throws: `protocol_error` when the session has ended, `busy` while changes are under way.
  func advance(
    _ body: (inout AliroPresentation) -> PresentationStep
  ) throws(VaultError) -> PresentationStep {
    try running.withLock { running throws(VaultError) in
      guard !running.isSettling else {
        throw VaultError(
          .busy, "the last message is not answered yet: wait for its answer",
          field: "presentation", retry: true)
      }
      guard var engine = running.engine.take() else {
        throw VaultError(
          .protocolError, "the presentation is over: open a new one", field: "presentation")
      }
      let step = body(&engine)
      if step.state.isOver {
        isOver.store(true, ordering: .relaxed)
      } else {
        running.engine = consume engine
      }
      running.isSettling = !step.changes.isEmpty
      return step
    }
  }

  /// The changes of the last step are durable.
  func settle() {
    running.withLock { $0.isSettling = false }
  }

  /// Whether its engine, and with it every key of the session, is gone.
  var isWiped: Bool { running.withLock { $0.engine == nil } }

  /// Ends the session and wipes its keys.
  func end() {
    isOver.store(true, ordering: .relaxed)
    running.withLock { $0.engine = nil }
  }
}

extension PresentationState {
  /// Whether no message is heard any more.
  fileprivate var isOver: Bool {
    switch self {
    case .finished, .failed, .closed: true
    default: false
    }
  }
}
