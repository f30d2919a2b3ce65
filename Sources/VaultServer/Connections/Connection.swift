/// One connection, as its I/O thread sees it; only that thread touches it.
final class Connection {
  let socket: OwnedDescriptor
  let info: ConnectionInfo
  let share: CallerShare
  let session: any LineSession
  /// The process that connected, as long as it lives; `nil` also where the kernel gives no pidfd.
  var process: OwnedDescriptor?
  /// Names the connection within its thread: the place in the table and how often it was used.
  let token: UInt64

  var inbox: Inbox
  var output: OutputQueue

  /// Requests the service has and has not answered.
  var inFlight = 0
  /// No more input is read: the client shut its side, or the server is ending.
  var hasInputEnded = false
  /// How many octets may still be read, once the process that connected has ended.
  var unreadLeft: Int?
  /// The server has refused the input: what is left of it is dropped.
  var isCutOff = false
  /// The client is gone altogether; the poller does not watch the socket any more.
  var isHungUp = false
  /// Too much is in flight or waits to be sent: nothing is read until half of it is done.
  var isThrottled = false
  /// It stands in the list of those that can go on without an event.
  var isReady = false
  /// It stands in the list of those that have something to send.
  var isDirty = false
  var isClosed = false
  /// What the poller watches it for.
  var interest: Poller.Interest = .readable

  /// When octets last came or went.
  var lastActivity: Instant
  /// When the half-sent line began; `nil` when there is none.
  var partialSince: Instant?
  /// When the client last took something of what waits to be sent.
  var lastProgress: Instant

  init(
    socket: OwnedDescriptor, info: ConnectionInfo, share: CallerShare, session: any LineSession,
    token: UInt64, budget: LockedBudget, now: Instant
  ) {
    self.socket = socket
    self.info = info
    self.share = share
    self.session = session
    self.token = token
    inbox = Inbox(budget: budget)
    output = OutputQueue(budget: budget)
    lastActivity = now
    lastProgress = now
  }

  var descriptor: Int32 { socket.number }

  /// Whether the service may have another line.
  var mayDispatch: Bool { !isCutOff && !isThrottled }

  /// Whether the socket is to be read.
  var mayRead: Bool { !hasInputEnded && mayDispatch }

  /// Whether everything is done that this connection will ever ask for.
  var isFinished: Bool {
    hasInputEnded && inFlight == 0 && output.isEmpty && inbox.isEmpty
  }

  /// Looks again at whether too much is under way.
  ///
  /// Reading goes on only at half the limits, so that
  /// the poller is not told of every single answer.
  func throttle(_ limits: Limits) {
    if isThrottled {
      isThrottled =
        inFlight > limits.inFlightLimit / 2 || output.count > limits.outputLimit / 2
    } else {
      isThrottled =
        inFlight >= limits.inFlightLimit || output.count > limits.outputLimit
    }
  }
}
