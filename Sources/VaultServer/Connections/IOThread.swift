import VaultCore

/// A running I/O thread, as the rest of the server sees it.
struct IOThread: Sendable {
  let mailbox: Mailbox
  let statistics: LoopStatistics
  private let thread: WorkerThread

  /// Starts a thread, which says at the gate how that went.
  init(
    index: Int, service: any LineService, environment: IOLoop.Environment,
    statistics: LoopStatistics, gate: StartGate
  ) throws(ServerError) {
    let mailbox = try Mailbox()
    self.mailbox = mailbox
    self.statistics = statistics
    let work: @Sendable () -> Void = {
      let loop: IOLoop
      do {
        loop = try IOLoop(
          environment: environment, mailbox: mailbox, statistics: statistics,
          handler: try service.makeHandler(thread: index))
      } catch {
        return gate.report(error as? ServerError ?? .service("\(error)"))
      }
      gate.report()
      do throws(ServerError) {
        try loop.run()
      } catch {
        environment.log(.error, "an I/O thread ended: \(error)")
        environment.stopBell.ring()
      }
    }
    do throws(VaultError) {
      thread = try WorkerThread(name: "io-\(index)", work)
    } catch {
      throw .service(error.message)
    }
  }

  /// Lets it finish what is in flight, until the deadline at the latest.
  func drain(until deadline: Instant) {
    mailbox.post(.drain(deadline: deadline))
  }

  /// Waits for its end; called once.
  func join() {
    thread.join()
  }
}
