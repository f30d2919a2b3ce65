import AliroEngine
import SecureMemory
import Synchronization
import VaultStore
import WireCoding

/// One Aliro transaction under way: its engine, and what its answers depend on.
final class PresentationSession: Sendable {
  let id: [UInt8]
  /// The connection that opened it; no other may use it.
  let connection: UInt64
  let namespace: NamespaceName
  let fence: Fence
  /// When it ends by itself, in boot-time seconds.
  let deadline: Int64
  /// The engine; `nil` once the session has ended and its keys are wiped.
  let engine: Mutex<AliroPresentation?>

  init(
    id: [UInt8], connection: UInt64, namespace: NamespaceName, fence: Fence, deadline: Int64,
    engine: consuming sending AliroPresentation
  ) {
    self.id = id
    self.connection = connection
    self.namespace = namespace
    self.fence = fence
    self.deadline = deadline
    self.engine = Mutex(engine)
  }

  /// Whether it has come to its end, or was ended.
  var isOver: Bool {
    engine.withLock { $0?.state.isOver ?? true }
  }

  /// Ends the session and wipes its keys.
  func end() {
    engine.withLock { $0 = nil }
  }
}

/// The transactions under way, bounded in all and for each connection.
final class PresentationTable: Sendable {
  /// The most sessions at once.
  static let bound = 1024
  /// The most sessions of one connection.
  static let boundPerConnection = 16

  private let sessions = Mutex<[[UInt8]: PresentationSession]>([:])

  /// Adds a session.
  ///
  /// - Throws: ``VaultError`` `busy` when there are too many.
  func add(_ session: PresentationSession) throws(VaultError) {
    let fits = sessions.withLock { sessions in
      // What has come to its end is kept so that its caller can be told, but not in others' way.
      var own = 0
      for (id, other) in sessions where other.connection == session.connection {
        if other.isOver { sessions[id] = nil } else { own += 1 }
      }
      guard sessions.count < Self.bound, own < Self.boundPerConnection else { return false }
      sessions[session.id] = session
      return true
    }
    guard fits else {
      throw VaultError(.busy, "too many presentations are open: close one first", retry: true)
    }
  }

  /// The session of this identifier, if `connection` opened it.
  func find(_ id: [UInt8], connection: UInt64) -> PresentationSession? {
    sessions.withLock { sessions in
      guard let session = sessions[id], session.connection == connection else { return nil }
      return session
    }
  }

  /// Ends one session.
  func remove(_ session: PresentationSession) {
    _ = sessions.withLock { $0.removeValue(forKey: session.id) }
    session.end()
  }

  /// Ends the sessions for which `condition` holds.
  func removeAll(where condition: (PresentationSession) -> Bool) {
    let removed = sessions.withLock { sessions in
      let removed = sessions.values.filter(condition)
      for session in removed { sessions[session.id] = nil }
      return removed
    }
    for session in removed { session.end() }
  }
}

extension PresentationState {
  /// Whether no message is heard any more.
  var isOver: Bool {
    switch self {
    case .finished, .failed, .closed: true
    default: false
    }
  }
}
