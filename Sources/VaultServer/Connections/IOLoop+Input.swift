import AccessPolicy
import CVaultSystem
import Glibc
import SecureMemory

extension IOLoop {
  /// Gives a connection its turn: lines that wait, or else one read.
  func serve(_ connection: Connection) {
    guard !connection.isClosed else { return }
    if connection.inbox.isBacklog {
      if connection.mayDispatch { serveBacklog(connection) }
    } else if connection.mayRead {
      receive(connection)
    } else if connection.isHungUp {
      // Nobody is left to take the answers that would make room.
      close(connection)
    }
    settle(connection)
  }

  private func receive(_ connection: Connection) {
    // A long line that is half here is fetched in large pieces.
    let piece = connection.inbox.count > 4096 ? Self.workspaceSize : Self.turnSize
    let room = min(piece, connection.unreadLeft ?? piece)
    var sender = vault_sender()
    let got = workspace.withMutableBytes { bytes in
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe vault_receive(connection.descriptor, buffer.baseAddress, room, &sender)
      }
    }
    statistics.reads.increment()
    guard got > 0 else { return receivedNothing(connection, result: got) }
    // What a process passes on or leaves to a child keeps its SO_PEERCRED, so each read is checked.
    // Pages read before are wiped below either way.
    if sender.known != 0, sender.pid == connection.info.caller.pid,
      sender.uid == connection.info.caller.uid
    {
      connection.lastActivity = now
      workspace.withBytes { bytes in split(bytes.extracting(first: got), for: connection) }
      took(got, from: connection)
    } else {
      environment.log(
        .warning, "connection \(connection.info.id.number) closed: another process wrote to it")
      environment.meters.noteEnding(.strangeWriter)
      connection.session.cutOff(.forbidden)
      close(connection)
    }
    workspace.withMutableBytes { $0.wipe(got) }
  }

  private func receivedNothing(_ connection: Connection, result: Int) {
    let isEmpty = result == -Int(EAGAIN) || result == -Int(EINTR)
    if isEmpty, !connection.isHungUp {
      // Less was there than had been counted, such as urgent data, which is not read.
      if connection.unreadLeft != nil, result == -Int(EAGAIN) { endInput(connection) }
      return
    }
    guard result == 0, !connection.isHungUp else { return close(connection) }
    endInput(connection)
  }

  /// Counts what was read down to the last that a process has left behind.
  private func took(_ count: Int, from connection: Connection) {
    guard let left = connection.unreadLeft else { return }
    connection.unreadLeft = left - count
    if left <= count { endInput(connection) }
  }

  /// Takes no more octets from a connection; whole lines that it has sent are still answered.
  func endInput(_ connection: Connection) {
    connection.hasInputEnded = true
    guard !connection.isCutOff, !connection.inbox.isBacklog else { return }
    // A request without its end is never carried out.
    if !connection.inbox.isEmpty { cutOff(connection, .parseError) }
  }

  /// Has the lines in freshly read octets answered, and keeps what is left.
  private func split(_ octets: Span<UInt8>, for connection: Connection) {
    var start = 0
    if !connection.inbox.isEmpty {
      let end = octets.firstIndex(of: newline)
      guard keep(octets.extracting(first: end ?? octets.count), for: connection), let end else {
        return
      }
      connection.inbox.withOctets { dispatch($0, for: connection) }
      connection.inbox.clear()
      start = end + 1
    }
    start = dispatchLines(of: octets, from: start, for: connection)
    guard start < octets.count, !connection.isCutOff else { return }
    let rest = octets.extracting(start..<octets.count)
    _ = keep(rest, isBacklog: rest.contains(newline), for: connection)
  }

  private func serveBacklog(_ connection: Connection) {
    var done = 0
    var hasMore = false
    connection.inbox.withOctets { octets in
      done = dispatchLines(of: octets, from: 0, for: connection)
      hasMore = octets.firstIndex(of: newline, from: done) != nil
    }
    connection.inbox.removeFirst(done)
    guard !connection.isCutOff else { return connection.inbox.clear() }
    guard !hasMore else { return }
    if connection.hasInputEnded, !connection.inbox.isEmpty {
      return cutOff(connection, .parseError)
    }
    do throws(Inbox.Failure) {
      try connection.inbox.becomePartial()
      connection.partialSince = connection.inbox.isEmpty ? nil : now
    } catch {
      cutOff(connection, .busy)
    }
  }

  /// Has whole lines answered, until there are none, the turn is over or too much is in flight.
  ///
  /// Answers reach the connection, and its output limit, only after the turn, so a turn also ends
  /// when they are longer than that together.
  ///
  /// - Returns: where the first line begins that was not answered.
  private func dispatchLines(
    of octets: Span<UInt8>, from first: Int, for connection: Connection
  ) -> Int {
    guard connection.mayDispatch, let end = octets.firstIndex(of: newline, from: first) else {
      return first
    }
    guard octets.firstIndex(of: newline, from: end + 1) != nil else {
      dispatch(octets.extracting(first..<end), for: connection)
      return end + 1
    }
    handler.beginTurn()
    defer { handler.endTurn() }
    return dispatchManyLines(of: octets, from: first, for: connection)
  }

  /// Does the same for lines of which there is more than one.
  private func dispatchManyLines(
    of octets: Span<UInt8>, from first: Int, for connection: Connection
  ) -> Int {
    var start = first
    var left = Self.linesPerTurn
    let begin = Instant.now()
    while left > 0, connection.mayDispatch, let end = octets.firstIndex(of: newline, from: start) {
      dispatch(octets.extracting(start..<end), for: connection)
      start = end + 1
      left -= 1
      let spent = Instant.now().nanoseconds &- begin.nanoseconds
      if spent > Self.turnTime || mailbox.waitingCount > limits.outputLimit { break }
    }
    return start
  }

  private func dispatch(_ line: Span<UInt8>, for connection: Connection) {
    guard !line.isBlank else { return }
    guard line.count <= limits.requestLimit else {
      return cutOff(connection, .tooLarge)
    }
    connection.inFlight += 1
    statistics.requests.increment()
    let reply = Reply(mailbox: mailbox, token: connection.token)
    if connection.share.bucket.take(at: now) {
      connection.session.handle(line, reply: reply)
    } else {
      let wait = connection.share.bucket.wait(at: now)
      connection.session.refuse(
        line, .rateLimited, retryAfter: Int64(clamping: wait / 1_000_000 + 1), reply: reply)
    }
    connection.throttle(limits)
  }

  /// Keeps what cannot be answered yet.
  ///
  /// - Returns: `false` when the connection has been cut off instead.
  private func keep(
    _ octets: Span<UInt8>, isBacklog: Bool = false, for connection: Connection
  ) -> Bool {
    let held = connection.inbox.count
    let limit = isBacklog ? Int.max : limits.requestLimit
    guard octets.count <= limit - held else {
      cutOff(connection, .tooLarge)
      return false
    }
    do throws(Inbox.Failure) {
      try connection.inbox.append(octets, isBacklog: isBacklog)
    } catch {
      cutOff(connection, .busy)
      return false
    }
    if held == 0 { connection.partialSince = now }
    return true
  }

  /// Refuses everything more from a connection, which ends once its answers are out.
  func cutOff(_ connection: Connection, _ refusal: FramingRefusal) {
    environment.meters.noteEnding(ConnectionEnding(refusal))
    connection.isCutOff = true
    connection.hasInputEnded = true
    connection.session.cutOff(refusal)
    connection.output.append(refusal.line[...] + [newline], from: &pool)
    markDirty(connection)
  }
}
