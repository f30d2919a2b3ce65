import Glibc

/// One connection that makes one call after another.
extension Bench {
  private static let key = "bench/idle"

  func measureIdle() throws(BenchFailure) {
    let vaults = (
      durable: try makeVault("idle", in: durable, Self.key),
      relaxed: try makeVault("idle", in: memory, Self.key)
    )
    let connections = (
      durable: try LoadConnection(vaults.durable.clientSocket),
      relaxed: try LoadConnection(vaults.relaxed.clientSocket)
    )
    // The database's log grows at first, which costs more than to write over what is there.
    _ = try connections.durable.flood(
      .sign(Self.key), window: 64,
      until: Moment.now.advanced(seconds: options.isQuick ? 0 : 2))
    let file = try SyncedFile("\(durable.path)/synced")
    var raw = Series()
    var sync = Series()
    var trip = (durable: Series(), relaxed: Series(), health: Series())
    for _ in 0..<count(15, quick: 1) {
      try Interruption.check()
      raw.add(try self.raw.cost(of: .sign, milliseconds: count(100, quick: 10)).clock)
      for _ in 0..<count(200, quick: 3) {
        trip.relaxed.add(try time(.sign(Self.key), connections.relaxed))
        trip.health.add(try time(.health, connections.relaxed))
      }
      // In turns, as a device is not equally fast at all times.
      for _ in 0..<count(40, quick: 3) {
        sync.add(try file.write())
        trip.durable.add(try time(.sign(Self.key), connections.durable))
      }
    }
    report.add(Figure("raw_sign_clock", "raw P-256 signature, clock", raw.median / 1e3, "µs"))
    report.add(
      Figure("idle_health", "health, one call at a time", trip.health.median / 1e3, "µs"))
    report.add(
      Figure("idle_relaxed", "key.sign, one at a time, sync free", trip.relaxed.median / 1e3, "µs"))
    report.add(
      Figure(
        "idle_relaxed_ratio", "that / raw", trip.relaxed.median / raw.median, "", .atMost(2.5)))
    report.add(Figure("fdatasync", "16 KiB and fdatasync", sync.median / 1e3, "µs"))
    report.add(
      Figure("idle_durable", "key.sign, one at a time", trip.durable.median / 1e3, "µs"))
    report.add(
      Figure(
        "idle_durable_ratio", "that without one fdatasync / raw",
        (trip.durable.median - sync.median) / raw.median, "", .atMost(2.5)))
  }

  private func time(
    _ request: LoadRequest, _ connection: LoadConnection
  ) throws(BenchFailure) -> Double {
    let start = Moment.now
    try connection.ask(request)
    return start.elapsed
  }
}

/// A file that is written in place and made durable, as a database's log is.
private final class SyncedFile {
  /// What a commit of some rows writes.
  private static let size = 16 << 10
  private static let places = 16

  private let descriptor: Int32
  private let octets = [UInt8](repeating: 0x5A, count: SyncedFile.size)
  private var next = 0

  init(_ path: String) throws(BenchFailure) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("open", errno) }
    for _ in 0..<Self.places { _ = try write() }
  }

  deinit { close(descriptor) }

  /// Writes and waits; gives the nanoseconds that took.
  func write() throws(BenchFailure) -> Double {
    let start = Moment.now
    let offset = off_t(next % Self.places * Self.size)
    next += 1
    guard unsafe pwrite(descriptor, octets, octets.count, offset) == octets.count,
      fdatasync(descriptor) == 0
    else { throw .system("fdatasync", errno) }
    return start.elapsed
  }
}
