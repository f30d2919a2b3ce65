import AccessPolicy
import CVaultSystem
import Glibc

/// Accepts connections, decides who may stay, and deals them out to the I/O threads.
///
/// It belongs to the thread that runs the server.
final class Acceptor {
  /// An I/O thread to deal connections to, and how many it was dealt.
  private struct Target {
    let thread: IOThread
    var dealt: UInt64 = 0

    /// The connections it has, those on their way included.
    var load: UInt64 { dealt &- thread.statistics.closed.current }
  }

  private let admission: Admission
  private let shares: CallerShares
  private let service: any LineService
  private let meters: ServerMeters
  private let log: ServerLog
  private var targets: [Target]
  private var nextID: UInt64 = 1
  private var refusals = RefusalLog()
  private var strangers = StrangerTable()
  /// Given up for a moment when the process has no descriptor left, to turn a client away instead
  /// of letting it wait.
  private var reserve: OwnedDescriptor?

  init(
    admission: Admission, shares: CallerShares, service: any LineService, threads: [IOThread],
    meters: ServerMeters, log: @escaping ServerLog
  ) {
    self.admission = admission
    self.shares = shares
    self.service = service
    targets = threads.map { Target(thread: $0) }
    self.meters = meters
    self.log = log
    reserve = Self.openReserve()
  }

  private static func openReserve() -> OwnedDescriptor? {
    let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : OwnedDescriptor(number)
  }

  /// Accepts what waits at a listener, up to a bound, so that signals get their turn.
  ///
  /// - Returns: `false` when the kernel is short of something and accepting should rest a moment.
  func accept(from listener: Int32, endpoint: Endpoint) -> Bool {
    for _ in 0..<64 {
      let number = vault_accept(listener)
      if number >= 0 {
        take(OwnedDescriptor(number), endpoint: endpoint)
        continue
      }
      switch -number {
      case EAGAIN: return true
      case EINTR, ECONNABORTED, EPROTO, EPERM: continue
      case EMFILE, ENFILE:
        guard turnAway(from: listener) else { return false }
      case let failure:
        log(.error, "accepting a connection failed: \(ServerError.text(failure))")
        return false
      }
    }
    return true
  }

  /// Accepts one client with the reserve descriptor, tells it to come again, and closes.
  private func turnAway(from listener: Int32) -> Bool {
    log(.error, "no file descriptors are left; raise LimitNOFILE= or lower connection-limit")
    guard reserve != nil else {
      reserve = Self.openReserve()
      return false
    }
    reserve = nil
    let number = vault_accept(listener)
    if number >= 0 { refuse(OwnedDescriptor(number), .busy) }
    reserve = Self.openReserve()
    return number >= 0 && reserve != nil
  }

  private func take(_ socket: OwnedDescriptor, endpoint: Endpoint) {
    // Read before anybody is judged: a refusal must not count under rules that came after it.
    let rules = admission.changes
    // Finding out all about one who will be refused once more would keep the others waiting.
    if let uid = PeerIdentity.user(of: socket.number),
      strangers.isTiresome(uid, by: endpoint, under: rules, at: .now())
    {
      service.refused(Caller(uid: uid, gid: .max, groups: [], pid: 0), by: endpoint, .forbidden)
      return refuse(socket, .forbidden)
    }
    // Inherited from the listener; a socket without it could not be served at all.
    _ = vault_pass_credentials(socket.number)
    let (caller, process): (Caller, PeerProcess)
    do throws(PeerIdentity.Failure) {
      (caller, process) = try PeerIdentity.peer(of: socket.number)
    } catch {
      var refusal = FramingRefusal.forbidden
      if case .shortage = error { refusal = .busy }
      refusals.note("a caller without an identity (\(error)) was refused", log)
      service.refused(nil, by: endpoint, refusal)
      return refuse(socket, refusal)
    }
    guard admission.admits(caller, by: endpoint) else {
      strangers.note(caller.uid, by: endpoint, under: rules, at: .now())
      refusals.note("uid \(caller.uid) (pid \(caller.pid)) may not use the vault", log)
      service.refused(caller, by: endpoint, .forbidden)
      return refuse(socket, .forbidden)
    }
    let standing = admission.standing(of: caller)
    guard let share = shares.enter(caller, standing, by: endpoint, at: .now()) else {
      refusals.note("uid \(caller.uid) was turned away: too many connections", log)
      service.refused(caller, by: endpoint, .busy)
      return refuse(socket, .busy)
    }
    let info = ConnectionInfo(
      id: ConnectionID(number: nextID), endpoint: endpoint, caller: caller, standing: standing)
    nextID += 1
    deal(socket, info, share, process)
  }

  /// Gives a connection to the thread that has the fewest.
  private func deal(
    _ socket: OwnedDescriptor, _ info: ConnectionInfo, _ share: CallerShare,
    _ process: PeerProcess
  ) {
    guard let least = targets.indices.min(by: { targets[$0].load < targets[$1].load }) else {
      return shares.leave(share)
    }
    targets[least].dealt += 1
    guard targets[least].thread.mailbox.post(.adopt(socket, info, share, process)) else {
      return shares.leave(share)
    }
  }

  /// Sends one line and closes.
  ///
  /// The socket is new, so the line fits its buffer.
  private func refuse(_ socket: OwnedDescriptor, _ refusal: FramingRefusal) {
    meters.noteEnding(ConnectionEnding(refusal))
    let line = refusal.line + [newline]
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    // A client that is gone already does not need the answer.
    _ = unsafe line.withUnsafeBytes { unsafe send(socket.number, $0.baseAddress, $0.count, flags) }
  }
}

/// Keeps refused callers from filling the log: one line a second, and how many were left out.
struct RefusalLog {
  private var next = Instant(nanoseconds: 0)
  private var leftOut = 0

  /// Logs a refusal, or counts it.
  mutating func note(_ text: @autoclosure () -> String, _ log: ServerLog) {
    let now = Instant.now()
    guard now >= next else {
      leftOut += 1
      return
    }
    log(.warning, leftOut > 0 ? "\(text()) (and \(leftOut) more before)" : text())
    leftOut = 0
    next = now.advanced(seconds: 1)
  }
}
