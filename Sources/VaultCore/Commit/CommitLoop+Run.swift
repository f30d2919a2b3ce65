extension CommitLoop {
  /// Serves until the queue is closed and empty.
  func run(_ queue: BlockingQueue<WorkItem>) {
    recordStart()
    while let items = queue.take(atMost: Committer.batchLimit, waiting: 1_000) {
      recordStart()
      guard items.isEmpty else {
        serve(items)
        continue
      }
      rest()
      checkpoint()
    }
    commit([RunRecord.end()])
    closeLog()
    sealKeys()
  }

  /// Records that the vault was started; tried again until there is room for it.
  private func recordStart() {
    guard !record.opening.isEmpty else { return }
    holdReserve()
    guard isReserveHeld else { return }
    let outcome = transact(record.opening.map { .note($0) }, opensRun: true)
    if case .success(let batch) = outcome { export(batch) }
  }
}
