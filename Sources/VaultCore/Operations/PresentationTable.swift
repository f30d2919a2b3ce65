import Synchronization

/// The transactions under way, bounded in all and for each connection.
final class PresentationTable: Sendable {
  /// The most sessions at once.
  static let bound = 1024
  /// The most sessions of one connection.
  static let boundPerConnection = 16

  private let sessions = Mutex<[[UInt8]: PresentationSession]>([:])

  /// Adds a session.
  ///
  /// What has come to its end is kept so that its caller can be told, but not in others' way.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - now: boot-time seconds.
  /// - Throws: ``VaultError`` `busy` when there are too many.
  func add(_ session: PresentationSession, now: Int64) throws(VaultError) {
    let (fits, removed) = sessions.withLock { sessions in
      var removed: [PresentationSession] = []
      if !Self.hasRoom(in: sessions, for: session) {
        removed = sessions.values.filter {
          $0.isOver.load(ordering: .relaxed) || $0.deadline <= now
        }
        for session in removed { sessions[session.id] = nil }
      }
      let fits = Self.hasRoom(in: sessions, for: session)
      if fits { sessions[session.id] = session }
      return (fits, removed)
    }
    for session in removed { session.end() }
    guard fits else {
      throw VaultError(.busy, "too many presentations are open: close one first", retry: true)
    }
  }

  private static func hasRoom(
    in sessions: [[UInt8]: PresentationSession], for session: PresentationSession
  ) -> Bool {
    sessions.count < bound
      && sessions.values.count { $0.connection == session.connection } < boundPerConnection
  }

  /// The session of this identifier, if `connection` opened it.
  func find(_ id: [UInt8], connection: UInt64) -> PresentationSession? {
    sessions.withLock { sessions in
      guard let session = sessions[id], session.connection == connection else { return nil }
      return session
    }
  }

  /// Every session, ended ones included.
  var all: [PresentationSession] { sessions.withLock { Array($0.values) } }

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
