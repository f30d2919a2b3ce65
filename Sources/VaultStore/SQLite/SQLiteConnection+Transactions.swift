extension SQLiteConnection {
  /// Starts a transaction that may write, and takes the write lock at once.
  package func begin() throws(StoreError) {
    try run("BEGIN IMMEDIATE", .state)
    isLost = false
  }

  /// Starts a transaction that only reads; the first read fixes what it sees.
  package func beginReading() throws(StoreError) {
    try run("BEGIN DEFERRED", .state)
    isLost = false
  }

  /// Commits.
  ///
  /// - Throws: ``StoreError``; the transaction may then still be open, so ``rollback()`` follows.
  ///   ``StoreError/transactionLost`` when there is nothing whole to commit.
  package func commit() throws(StoreError) {
    // COMMIT would also release a savepoint that could not be undone, and keep its changes.
    guard !isLost, !isIdle else { throw .transactionLost }
    try run("COMMIT", .state)
  }

  /// Undoes the transaction.
  ///
  /// SQLite may have done so already (full disk, failed device), which is no error.
  package func rollback() throws(StoreError) {
    guard !isIdle else { return }
    try run("ROLLBACK", .state)
  }

  /// Runs `body` inside a SAVEPOINT of the open transaction; when it throws, its changes are undone
  /// and the rest of the transaction stays.
  ///
  /// - Parameters:
  ///   - wrap: makes the error to throw when the savepoint itself fails.
  ///   - body: the changes.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  @discardableResult
  package func savepoint<Result: ~Copyable, Failure: Error>(
    wrap: (StoreError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Without a transaction around it, SAVEPOINT would start one of its own.
    guard !isLost, !isIdle else { throw wrap(.transactionLost) }
    do { try run("SAVEPOINT item", .state) } catch { throw wrap(error) }
    let result: Result
    do {
      result = try body()
    } catch {
      undoSavepoint()
      throw error
    }
    do {
      try run("RELEASE item", .state)
    } catch {
      isLost = true
      throw wrap(error)
    }
    return result
  }

  private func undoSavepoint() {
    do {
      guard !isIdle else { throw StoreError.transactionLost }
      try run("ROLLBACK TO item", .state)
      try run("RELEASE item", .state)
    } catch {
      isLost = true
    }
  }
}
