extension IOLoop {
  /// Puts an answer into a connection's output.
  func deliver(_ answer: ArraySlice<UInt8>, to token: UInt64) {
    guard let connection = settled(token) else { return }
    connection.output.append(answer, from: &pool)
    markDirty(connection)
  }

  /// Puts an answer that holds secrets into a connection's output.
  ///
  /// A client that lets more of them wait than its share of the locked memory allows, and takes none of
  /// them, is cut off, as one is that half-sends too much.
  func deliver(_ answer: SecretAnswerLine, to token: UInt64) {
    guard let connection = settled(token) else { return }
    guard !connection.output.append(answer) else { return markDirty(connection) }
    // Many may have come at once; those before it make room when they are out.
    flush(connection)
    guard !connection.isClosed else { return }
    // Once is enough: the connection ends when what waits is out.
    if !connection.output.append(answer), !connection.isCutOff { cutOff(connection, .busy) }
    markDirty(connection)
  }

  /// Counts an answer, and gives the connection that it is for; `nil` when that has ended.
  private func settled(_ token: UInt64) -> Connection? {
    guard let connection = connection(token) else { return nil }
    connection.inFlight -= 1
    statistics.settled.increment()
    if connection.output.isEmpty { connection.lastProgress = now }
    return connection
  }

  /// Sends what the client takes, and lets the connection go on or end.
  func flush(_ connection: Connection) {
    connection.isDirty = false
    guard !connection.isClosed else { return }
    let before = connection.output.count
    if before > 0 { statistics.writes.increment() }
    let outcome = connection.output.send(to: connection.descriptor, returningTo: &pool)
    guard outcome != .failed else { return close(connection) }
    if connection.output.count < before {
      connection.lastProgress = now
      connection.lastActivity = now
    }
    settle(connection)
  }

  /// Draws the consequences of what has changed: ends a finished connection, takes up waiting lines
  /// again, and tells the poller what to watch.
  func settle(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.throttle(limits)
    if connection.isCutOff { connection.inbox.clear() }
    if connection.isFinished { return close(connection) }
    if connection.inbox.isBacklog {
      if connection.mayDispatch { markReady(connection) }
    } else if connection.isHungUp {
      return markReady(connection)
    }
    watch(connection)
  }

  private func watch(_ connection: Connection) {
    var interest: Poller.Interest = []
    if connection.mayRead { interest.insert(.readable) }
    if !connection.output.isEmpty { interest.insert(.writable) }
    guard interest != connection.interest, !connection.isHungUp else { return }
    connection.interest = interest
    statistics.controls.increment()
    poller.change(connection.descriptor, token: connection.token, interest)
  }

  /// Whether a connection has been silent, half-sent or unread for too long.
  func hasTimedOut(_ connection: Connection) -> Bool {
    if !connection.output.isEmpty {
      return connection.lastProgress.hasPassed(seconds: limits.writeTimeout, at: now)
    }
    if !connection.inbox.isEmpty, !connection.inbox.isBacklog {
      return connection.partialSince?.hasPassed(seconds: limits.lineTimeout, at: now)
        ?? false
    }
    return connection.inFlight == 0 && connection.inbox.isEmpty
      && connection.lastActivity.hasPassed(seconds: limits.idleTimeout, at: now)
  }
}
