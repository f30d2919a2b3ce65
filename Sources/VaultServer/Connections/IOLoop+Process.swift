import CVaultSystem

extension IOLoop {
  /// Marks the tokens by which the poller tells of the process of a connection; no place in the
  /// table is that high.
  static let processMark: UInt64 = 1 << 31

  /// Has the poller tell when the process that connected ends.
  func watch(_ process: PeerProcess, of connection: Connection) {
    switch process {
    case .unknown: break
    case .ended: processEnded(connection)
    case .held(let descriptor):
      do throws(ServerError) {
        try poller.add(
          descriptor.number, token: connection.token | Self.processMark, .readable)
        connection.process = descriptor
      } catch {
        environment.log(.warning, "a connection was dropped: \(error)")
        close(connection)
      }
    }
  }

  /// Lets a connection go no further than what its process has left in the socket.
  ///
  /// Each read is checked against the number of the process that connected. Once that one has ended
  /// the number says nothing: it may come to another process that holds the socket, too.
  func processEnded(_ connection: Connection) {
    guard !connection.isClosed else { return }
    unwatchProcess(of: connection)
    let unread = vault_unread_count(connection.descriptor)
    if unread > 0 {
      connection.unreadLeft = Int(unread)
    } else {
      endInput(connection)
    }
    settle(connection)
  }

  func unwatchProcess(of connection: Connection) {
    guard let process = connection.process else { return }
    poller.remove(process.number)
    connection.process = nil
  }
}
