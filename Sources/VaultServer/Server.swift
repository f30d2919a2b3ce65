import AccessPolicy
import CVaultSystem
import Glibc
import Synchronization

/// The socket server: knows lines and callers, and nothing of what requests mean.
///
/// ``run(until:notifier:)`` serves on the calling thread, which accepts connections, and on the I/O
/// threads, each of which owns its connections.
package final class Server: Sendable {
  private let configuration: Configuration
  private let sockets: [ListeningSocket]
  private let service: any LineService
  private let admission: Admission
  private let log: ServerLog
  private let stopBell: EventCounter
  private let shares: CallerShares
  private let meters: ServerMeters
  private let statisticsOfLoops: [LoopStatistics]

  /// Prepares a server; nothing is served before it runs.
  ///
  /// - Parameters:
  ///   - configuration: the limits.
  ///   - sockets: where clients connect; see ``ListeningSocket/open(runtime:)`` and
  ///     ``SocketActivation/take()``.
  ///   - service: what answers requests.
  ///   - admission: who may connect.
  ///   - meters: where it counts what it does.
  ///   - log: where words to the operator go.
  /// - Throws: ``ServerError/system(call:errno:)``.
  package init(
    configuration: Configuration, sockets: [ListeningSocket], service: any LineService,
    admission: Admission, meters: ServerMeters = ServerMeters(),
    log: @escaping ServerLog = StandardErrorLog.write
  ) throws(ServerError) {
    self.configuration = configuration
    self.sockets = sockets
    self.service = service
    self.admission = admission
    self.log = log
    stopBell = try EventCounter()
    shares = CallerShares(configuration.limits)
    self.meters = meters
    statisticsOfLoops = (0..<configuration.threadCount).map { _ in meters.addLoop() }
  }

  /// What the server has done so far.
  package var statistics: ServerStatistics { ServerStatistics(statisticsOfLoops) }

  /// The connections that are open now.
  package var connectionCount: Int { shares.count }

  /// Makes ``run(until:notifier:)`` end in the orderly way; from any thread.
  package func stop() {
    stopBell.ring()
  }

  /// Serves until a signal or ``stop()``, then finishes what is in flight and returns.
  ///
  /// - Parameters:
  ///   - signals: what ends it besides ``stop()``.
  ///   - notifier: who is told when it serves and when it ends.
  /// - Throws: ``ServerError`` when it cannot start or the kernel fails it.
  package func run(
    until signals: StopSignals? = nil, notifier: ServiceNotifier = ServiceNotifier(address: nil)
  ) throws(ServerError) {
    defer { for socket in sockets { socket.retire() } }
    checkOpenFiles()
    let threads = try startThreads()
    let outcome: Result<Void, ServerError>
    do throws(ServerError) {
      notifier.ready()
      try acceptUntilStopped(signals, threads)
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    notifier.stopping()
    // Nobody may connect to what will not be accepted; then what is in flight is finished.
    for socket in sockets { socket.retire() }
    let deadline = Instant.now().advanced(seconds: configuration.limits.drainTimeout)
    for thread in threads { thread.drain(until: deadline) }
    for thread in threads { thread.join() }
    try outcome.get()
  }

  /// Each connection takes two descriptors, its own and that of the process that connected; the rest
  /// is for the database, the audit and the threads.
  private func checkOpenFiles() {
    let needed = Int64(2 * (configuration.limits.connectionLimit + CallerShares.adminReserve) + 64)
    let have = vault_raise_open_files(needed)
    guard have < needed else { return }
    log(
      .warning,
      "\(have) files may be open, but connection-limit needs \(needed); raise LimitNOFILE=")
  }

  private func startThreads() throws(ServerError) -> [IOThread] {
    let environment = IOLoop.Environment(
      limits: configuration.limits, shares: shares, stopBell: stopBell, meters: meters, log: log)
    let gate = try StartGate()
    var started: [IOThread] = []
    do throws(ServerError) {
      for (index, statistics) in statisticsOfLoops.enumerated() {
        started.append(
          try IOThread(
            index: index, service: service, environment: environment, statistics: statistics,
            gate: gate))
      }
      try gate.wait(for: started.count)
    } catch {
      for thread in started { thread.drain(until: .now()) }
      for thread in started { thread.join() }
      throw error
    }
    return started
  }

  private func acceptUntilStopped(
    _ signals: StopSignals?, _ threads: [IOThread]
  ) throws(ServerError) {
    let acceptor = Acceptor(
      admission: admission, shares: shares, service: service, threads: threads, meters: meters,
      log: log)
    let poller = try Poller()
    let (stopToken, signalToken) = (UInt64.max, UInt64.max - 1)
    try poller.add(stopBell.descriptor.number, token: stopToken, .readable)
    if let signals { try poller.add(signals.descriptor.number, token: signalToken, .readable) }
    for (index, socket) in sockets.enumerated() {
      try poller.add(socket.descriptor.number, token: UInt64(index), .readable)
    }
    var isStopping = false
    var mustRest = false
    while !isStopping {
      // Short of memory or descriptors, the listeners stay readable: look again a little later.
      if mustRest { usleep(20_000) }
      mustRest = false
      for index in 0..<(try poller.wait(milliseconds: -1)) {
        let event = poller.event(index)
        switch event.token {
        case stopToken: isStopping = true
        case signalToken: isStopping = isStopping || signals?.take() ?? false
        default:
          let socket = sockets[Int(event.token)]
          if !acceptor.accept(from: socket.descriptor.number, endpoint: socket.endpoint) {
            mustRest = true
          }
        }
      }
    }
  }
}
