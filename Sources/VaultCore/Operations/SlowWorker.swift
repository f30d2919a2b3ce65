/// The thread for what would hold up an I/O thread: Argon2id takes about a second.
final class SlowWorker: Sendable {
  private let queue = BlockingQueue<@Sendable () -> Void>()

  /// Starts the thread; it ends with the worker.
  init() throws(VaultError) {
    let queue = queue
    let thread = try WorkerThread(name: "slow work") {
      while let jobs = queue.take(atMost: 1, waiting: 60_000) {
        for job in jobs { job() }
      }
    }
    thread.detach()
  }

  deinit { queue.close() }

  /// Runs a job, after those before it.
  ///
  /// - Returns: whether it was taken.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    queue.push(job)
  }
}
