/// The numbers that bound what callers may make the server do.
package struct Limits: Hashable, Sendable {
  /// The longest request line in bytes.
  package var requestLimit = 256 << 10
  /// The most connections.
  package var connectionLimit = 1024
  /// The most connections of one user.
  package var callerConnectionLimit = 256
  /// The most requests of one connection that are not answered yet.
  package var inFlightLimit = 256
  /// How many bytes of answers may wait for a client before its requests are no longer read.
  package var outputLimit = 1 << 20
  /// The most bytes of locked memory for half-sent requests, over all connections.
  package var partialLimit = 2 << 20
  /// After how many seconds a connection with nothing to do is closed; 0 is never.
  package var idleTimeout = 900
  /// How many seconds a request may take from its first byte to its newline; 0 is any time.
  package var lineTimeout = 30
  /// How many seconds a client may take nothing of the answers that wait for it; 0 is any time.
  package var writeTimeout = 30
  /// How many seconds requests in flight have when the server ends.
  package var drainTimeout = 10
  /// Requests a second that one user may send; 0 is any number.
  package var rate = 0
  /// How many requests a user may send at once on top of the rate.
  package var burst = 1000

  /// The standard limits.
  package init() {}
}
