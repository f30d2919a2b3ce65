import SecureMemory

/// What one I/O thread does: waits, reads, has lines answered, sends; never waits for anything else.
final class IOLoop {
  /// What all threads share.
  struct Environment: Sendable {
    let limits: Limits
    let shares: CallerShares
    /// Ends the whole server when a thread cannot go on.
    let stopBell: EventCounter
    let meters: ServerMeters
    let log: ServerLog
  }

  /// Locked memory that input is read into; enough for a large request in few steps.
  static let workspaceSize = 64 << 10
  /// What is read at a time from a connection with ordinary requests, and how many lines are
  /// answered before the others get their turn: together some milliseconds of signatures.
  static let turnSize = 16 << 10
  static let linesPerTurn = 128
  /// After how many nanoseconds a turn is over whatever is left: some answers, such as a long list,
  /// take much longer than a signature.
  static let turnTime: UInt64 = 5_000_000

  /// The poller's token for the mailbox; no connection has it, as its place would be out of range.
  private static let mailboxToken = UInt64.max

  let environment: Environment
  let limits: Limits
  let mailbox: Mailbox
  let statistics: LoopStatistics
  let handler: any LineHandler
  let poller: Poller
  var workspace: SecretBytes
  var pool = BufferPool()
  var now = Instant.now()

  private var table: [Connection?] = []
  private var generations: [UInt32] = []
  private var freePlaces: [Int] = []
  private var ready: [Connection] = []
  private var dirty: [Connection] = []
  private var incoming = Mailbox.Contents()
  private var nextTick = Instant.now().advanced(seconds: 1)
  private var deadline: Instant?

  init(
    environment: Environment, mailbox: Mailbox, statistics: LoopStatistics,
    handler: any LineHandler
  ) throws(ServerError) {
    self.environment = environment
    limits = environment.limits
    self.mailbox = mailbox
    self.statistics = statistics
    self.handler = handler
    do {
      workspace = try SecretBytes(zeroed: Self.workspaceSize)
    } catch {
      throw .noLockedMemory(error)
    }
    poller = try Poller()
    try poller.add(mailbox.descriptor, token: Self.mailboxToken, [.readable, .onEdge])
  }

  /// Serves until told to drain and everything is answered, or the deadline has come.
  func run() throws(ServerError) {
    defer { end() }
    while !hasEnded {
      let mayWait = ready.isEmpty && mailbox.prepareToSleep()
      let wait = mayWait ? now.milliseconds(until: min(nextTick, deadline ?? nextTick)) : 0
      statistics.waits.increment()
      let count = try poller.wait(milliseconds: wait)
      now = Instant.now()
      // First of all: as long as the mailbox takes the thread for asleep, each post rings.
      collect()
      for index in 0..<count {
        react(to: poller.event(index))
        now = Instant.now()
      }
      serveReady()
      if now >= nextTick { tick() }
    }
  }

  private var hasEnded: Bool {
    guard let deadline else { return false }
    return now >= deadline || freePlaces.count == table.count
  }

  private func react(to event: Poller.Event) {
    guard event.token != Self.mailboxToken else { return }
    guard let connection = connection(event.token & ~Self.processMark) else { return }
    guard event.token & Self.processMark == 0 else { return processEnded(connection) }
    if event.isWritable { flush(connection) }
    if event.isHungUp { hangUp(connection) }
    if event.isReadable, !connection.isReady { serve(connection) }
    collect()
  }

  /// The poller would report a client that is gone again and again, so it is not asked any more;
  /// what was sent before is still served.
  private func hangUp(_ connection: Connection) {
    guard !connection.isHungUp, !connection.isClosed else { return }
    guard connection.output.isEmpty else { return close(connection) }
    connection.isHungUp = true
    poller.remove(connection.descriptor)
    markReady(connection)
  }

  private func serveReady() {
    guard !ready.isEmpty else { return }
    var turn: [Connection] = []
    swap(&turn, &ready)
    for connection in turn {
      connection.isReady = false
      serve(connection)
      collect()
    }
  }

  /// Takes the answers and orders that have come in, and sends what there is to send.
  private func collect() {
    while mailbox.collect(into: &incoming) {
      var start = 0
      for answer in incoming.answers {
        if let secret = answer.secret {
          deliver(secret, to: answer.token)
          continue
        }
        let end = start + answer.count
        deliver(incoming.octets[start..<end], to: answer.token)
        start = end
      }
      for command in incoming.commands { obey(command) }
      incoming.reset()
    }
    // Flushing may close a connection, which puts nothing new into the list.
    for connection in dirty { flush(connection) }
    dirty.removeAll(keepingCapacity: true)
  }

  private func obey(_ command: Mailbox.Command) {
    switch command {
    case .adopt(let socket, let info, let share, let process): adopt(socket, info, share, process)
    case .drain(let deadline):
      self.deadline = deadline
      for connection in table {
        guard let connection else { continue }
        connection.hasInputEnded = true
        // Whole lines that have been read are still answered.
        if !connection.inbox.isBacklog { connection.inbox.clear() }
        settle(connection)
      }
    }
  }

  private func adopt(
    _ socket: OwnedDescriptor, _ info: ConnectionInfo, _ share: CallerShare,
    _ process: PeerProcess
  ) {
    guard deadline == nil else { return environment.shares.leave(share) }
    let place = freePlaces.popLast() ?? table.count
    if place == table.count {
      table.append(nil)
      generations.append(0)
    }
    let token = UInt64(generations[place]) << 32 | UInt64(place)
    do throws(ServerError) {
      try poller.add(socket.number, token: token, .readable)
    } catch {
      environment.log(.warning, "a connection was dropped: \(error)")
      freePlaces.append(place)
      return environment.shares.leave(share)
    }
    let connection = Connection(
      socket: socket, info: info, share: share, session: handler.open(info), token: token,
      budget: environment.shares.budget(of: share, info.standing), now: now)
    table[place] = connection
    statistics.connections.increment()
    watch(process, of: connection)
  }

  /// The connection a token stands for, `nil` when it has ended.
  func connection(_ token: UInt64) -> Connection? {
    let place = Int(token & 0xFFFF_FFFF)
    guard place < table.count, generations[place] == UInt32(token >> 32) else { return nil }
    return table[place]
  }

  func markReady(_ connection: Connection) {
    guard !connection.isReady, !connection.isClosed else { return }
    connection.isReady = true
    ready.append(connection)
  }

  func markDirty(_ connection: Connection) {
    guard !connection.isDirty, !connection.isClosed else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  /// Ends a connection; answers that are still owed find its place used by nobody or another.
  func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.isClosed = true
    connection.inbox.clear()
    if !connection.isHungUp { poller.remove(connection.descriptor) }
    unwatchProcess(of: connection)
    let place = Int(connection.token & 0xFFFF_FFFF)
    table[place] = nil
    generations[place] &+= 1
    freePlaces.append(place)
    environment.shares.leave(connection.share)
    statistics.settled.increment(by: UInt64(clamping: connection.inFlight))
    statistics.closed.increment()
    connection.session.close()
  }

  private func tick() {
    nextTick = now.advanced(seconds: 1)
    handler.tick(now)
    for connection in table {
      guard let connection else { continue }
      connection.session.tick(now)
      guard hasTimedOut(connection) else { continue }
      environment.meters.noteEnding(.timedOut)
      close(connection)
    }
    collect()
  }

  private func end() {
    for connection in table {
      guard let connection else { continue }
      close(connection)
    }
    mailbox.close()
  }
}
