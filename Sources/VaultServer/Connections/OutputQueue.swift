import Glibc

/// The answers a client has not taken yet: ordinary memory, for answers hold no secret.
struct OutputQueue {
  /// How sending went.
  enum Outcome {
    /// Everything is out.
    case sent
    /// The client's buffer is full.
    case blocked
    /// The connection is gone.
    case failed
  }

  private var octets: [UInt8] = []
  private var sentCount = 0

  /// The octets still to be sent.
  var count: Int { octets.count - sentCount }

  var isEmpty: Bool { octets.count == sentCount }

  /// Adds octets behind those already there.
  mutating func append(_ answer: ArraySlice<UInt8>, from pool: inout BufferPool) {
    if octets.capacity == 0 { octets = pool.take() }
    octets.append(contentsOf: answer)
  }

  /// Sends what the socket takes in one call.
  ///
  /// Everything that waits is contiguous, so that one `send` does what a `writev` over single
  /// answers would.
  mutating func send(to socket: Int32, returningTo pool: inout BufferPool) -> Outcome {
    guard !isEmpty else { return .sent }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = unsafe octets.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe Glibc.send(socket, base + sentCount, bytes.count - sentCount, flags)
    }
    guard sent >= 0 else {
      return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? .blocked : .failed
    }
    sentCount += sent
    guard isEmpty else {
      dropSent()
      return .blocked
    }
    var emptied: [UInt8] = []
    swap(&emptied, &octets)
    sentCount = 0
    pool.giveBack(emptied)
    return .sent
  }

  /// Moves the rest to the front once more than half is out, so that each octet moves once at most.
  private mutating func dropSent() {
    guard sentCount > octets.count / 2 else { return }
    octets.removeFirst(sentCount)
    sentCount = 0
  }
}

/// A few output buffers that connections of one thread take turns with, so that idle ones hold
/// none.
struct BufferPool {
  private static let limit = 8
  private static let largest = 64 << 10
  private var buffers: [[UInt8]] = []

  mutating func take() -> [UInt8] {
    if let spare = buffers.popLast() { return spare }
    var made: [UInt8] = []
    made.reserveCapacity(4096)
    return made
  }

  mutating func giveBack(_ buffer: consuming [UInt8]) {
    guard buffers.count < Self.limit, buffer.capacity <= Self.largest else { return }
    buffer.removeAll(keepingCapacity: true)
    buffers.append(buffer)
  }
}
