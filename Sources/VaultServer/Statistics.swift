import Synchronization

/// A number that one thread counts up and any thread reads.
struct Counter: ~Copyable {
  private let value = Atomic<UInt64>(0)

  /// Only one thread calls this, so that a plain addition does.
  func increment(by amount: UInt64 = 1) {
    value.store(value.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  var current: UInt64 { value.load(ordering: .relaxed) }
}

/// What one I/O thread has done.
final class LoopStatistics: Sendable {
  let requests = Counter()
  /// Requests that were answered, or whose connection has ended.
  let settled = Counter()
  let reads = Counter()
  let writes = Counter()
  let waits = Counter()
  let controls = Counter()
  let connections = Counter()
  let closed = Counter()
}

/// What the server has done since it started, for monitoring.
package struct ServerStatistics: Hashable, Sendable {
  /// Lines handed to the service.
  package var requests: UInt64 = 0
  /// Requests of these that were answered, or whose connection has ended.
  package var settled: UInt64 = 0
  /// System calls that read from a connection.
  package var reads: UInt64 = 0
  /// System calls that wrote to a connection.
  package var writes: UInt64 = 0
  /// System calls that waited for events.
  package var waits: UInt64 = 0
  /// System calls that changed what to wait for.
  package var controls: UInt64 = 0
  /// Connections that were served.
  package var connections: UInt64 = 0
  /// Connections of these that have ended.
  package var closed: UInt64 = 0

  /// Requests that the service has and has not answered.
  package var inFlight: UInt64 { requests > settled ? requests - settled : 0 }

  init(_ loops: [LoopStatistics]) {
    for loop in loops {
      // What is settled is read before what came in, so that the difference is never below zero.
      settled += loop.settled.current
      requests += loop.requests.current
      reads += loop.reads.current
      writes += loop.writes.current
      waits += loop.waits.current
      controls += loop.controls.current
      connections += loop.connections.current
      closed += loop.closed.current
    }
  }
}
