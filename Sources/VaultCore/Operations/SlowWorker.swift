import AccessPolicy

/// A thread for what would hold up an I/O thread, such as Argon2id, which takes about a second.
///
/// So much may wait for it and no more, and the users of whom something waits take turns.
final class SlowWorker: Sendable {
  /// The most jobs that wait.
  static let bound = 256
  /// The most jobs of one user that wait.
  static let userBound = 64

  /// One job.
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let jobs = TurnQueue<Job>(bound: bound, userBound: userBound)
  /// Holds an element for each job, to wait on.
  private let arrivals = BlockingQueue<Void>()

  /// Starts the thread; it ends with the worker.
  init(name: String) throws(VaultError) {
    let (jobs, arrivals) = (jobs, arrivals)
    let thread = try WorkerThread(name: name) {
      while let arrived = arrivals.take(atMost: 1, waiting: 60_000) {
        for _ in arrived { jobs.take()?.body() }
      }
    }
    thread.detach()
  }

  deinit { arrivals.close() }

  /// Runs a job, after those of its user that were there before.
  ///
  /// - Returns: whether it was taken; not when too much is waiting.
  func run(for subject: AuditEntry.Subject, _ job: @escaping @Sendable () -> Void) -> Bool {
    jobs.add(Job(job), of: subject.caller.uid) && arrivals.push(())
  }
}
