import Synchronization

/// The transactions under way, bounded in all, for each user and for each connection.
final class PresentationTable: Sendable {
  /// The most sessions at once.
  static let bound = 1024
  /// The most sessions of one user, who may have many connections.
  static let boundPerUser = 256
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
    let (refusal, removed) = sessions.withLock { sessions in
      var removed: [PresentationSession] = []
      if Self.refusal(of: session, among: sessions) != nil {
        removed = sessions.values.filter {
          $0.isOver.load(ordering: .relaxed) || $0.deadline <= now
        }
        for session in removed { sessions[session.id] = nil }
      }
      let refusal = Self.refusal(of: session, among: sessions)
      if refusal == nil { sessions[session.id] = session }
      return (refusal, removed)
    }
    for session in removed { session.end() }
    if let refusal { throw VaultError(.busy, refusal, retry: true) }
  }

  /// Why there is no room for a session, `nil` when there is.
  private static func refusal(
    of session: PresentationSession, among sessions: [[UInt8]: PresentationSession]
  ) -> String? {
    if sessions.values.count(where: { $0.connection == session.connection }) >= boundPerConnection {
      return "this connection has \(boundPerConnection) presentations open: close one first"
    }
    if sessions.values.count(where: { $0.user == session.user }) >= boundPerUser {
      return "this user has \(boundPerUser) presentations open on all connections: close one first"
    }
    guard sessions.count < bound else {
      return "the vault has \(bound) presentations open, of all users: try again in a moment"
    }
    return nil
  }

  /// The session of this identifier, if `connection` opened it, for `user`.
  func find(_ id: [UInt8], connection: UInt64, user: UInt32) -> PresentationSession? {
    sessions.withLock { sessions in
      guard let session = sessions[id], session.connection == connection, session.user == user
      else { return nil }
      return session
    }
  }

  /// Every session, ended ones included.
  var all: [PresentationSession] { sessions.withLock { Array($0.values) } }

  /// How many there are that have not ended.
  var openCount: Int {
    sessions.withLock { $0.values.count { !$0.isOver.load(ordering: .relaxed) } }
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
