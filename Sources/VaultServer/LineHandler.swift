package import AccessPolicy

/// What answers requests; shared by all I/O threads.
package protocol LineService: Sendable {
  /// Makes the handler of one I/O thread, on that thread, before it serves anybody.
  ///
  /// - Parameter thread: the thread's index, from 0.
  /// - Returns: the handler, which never leaves the thread.
  /// - Throws: whatever keeps the service from working; the server then does not start.
  func makeHandler(thread: Int) throws -> any LineHandler

  /// Called when a connection was refused, on the thread that accepts them.
  ///
  /// - Parameters:
  ///   - caller: who it was, `nil` when the kernel did not say.
  ///   - endpoint: the socket it came to.
  ///   - refusal: what it was told.
  func refused(_ caller: Caller?, by endpoint: Endpoint, _ refusal: FramingRefusal)
}

/// The part of a service that lives on one I/O thread and may hold what only that thread uses.
///
/// It is made, called and released on its thread, so it needs no locks.
package protocol LineHandler: AnyObject {
  /// Starts what will answer the lines of a new connection.
  func open(_ connection: ConnectionInfo) -> any LineSession

  /// Called about once a second, also when nobody is connected.
  func tick(_ now: Instant)

  /// Called before several lines that are here already, of one connection.
  func beginTurn()

  /// Called after those lines.
  func endTurn()
}

/// The part of a service that belongs to one connection; confined to its I/O thread.
package protocol LineSession: AnyObject {
  /// Answers one line, or sees to it that another thread will.
  ///
  /// It runs on the I/O thread, in front of every other connection of that thread: what takes
  /// longer than a signature belongs on another thread.
  ///
  /// - Parameters:
  ///   - line: the octets without their newline, in locked memory that is wiped after the call.
  ///   - reply: to be answered once, now or later, from any thread.
  func handle(_ line: Span<UInt8>, reply: consuming Reply)

  /// Answers a whole line that the server itself will not let through.
  ///
  /// A service that can tell the request's `id` from the line may put it into the answer; by
  /// default the `id` is null.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - refusal: what the caller is to be told.
  ///   - retryAfter: after how many milliseconds the same line may be let through, when that is known.
  ///   - reply: to be answered once.
  func refuse(
    _ line: Span<UInt8>, _ refusal: FramingRefusal, retryAfter: Int64?, reply: consuming Reply)

  /// Called when the server refuses everything more from the connection, which then ends.
  ///
  /// - Parameter refusal: what the caller is told; `forbidden`, when another process wrote to the
  ///   connection, nobody is.
  func cutOff(_ refusal: FramingRefusal)

  /// Called about once a second.
  func tick(_ now: Instant)

  /// Called once, when the connection has ended; replies that are still owed go nowhere.
  func close()
}

extension LineService {
  package func refused(_ caller: Caller?, by endpoint: Endpoint, _ refusal: FramingRefusal) {}
}

extension LineHandler {
  package func tick(_ now: Instant) {}

  package func beginTurn() {}

  package func endTurn() {}
}

extension LineSession {
  package func refuse(
    _ line: Span<UInt8>, _ refusal: FramingRefusal, retryAfter: Int64?, reply: consuming Reply
  ) {
    reply.send(refusal.line(retryAfter: retryAfter))
  }

  package func cutOff(_ refusal: FramingRefusal) {}

  package func tick(_ now: Instant) {}

  package func close() {}
}
