import VaultStore

/// Changes the ledger; the committer's, and nobody else's.
///
/// Not `Sendable`: it may be handed to the committer's thread whole, and is used there alone. Every
/// change happens inside a transaction; what it rests on is proven first, and a refusal undoes only
/// its own savepoint.
package final class LedgerWriter {
  /// The ledger it changes.
  package let ledger: Ledger
  private(set) var connection: SQLiteConnection
  var transaction: Transaction?

  /// An open transaction.
  struct Transaction {
    /// The keys, `nil` when it began while sealed; it keeps them to its end.
    let unsealed: UnsealedLedger?
    var changes = PendingChanges()
  }

  init(_ ledger: Ledger, _ connection: SQLiteConnection) {
    self.ledger = ledger
    self.connection = connection
  }

  /// Starts a transaction.
  ///
  /// - Returns: where the audit and the clock stand, `nil` while sealed: then only the outbox can be
  ///   written.
  /// - Throws: ``Damage/stateRow`` when the state row is not the one last committed.
  @discardableResult
  package func begin() throws(LedgerError) -> CommitState? {
    guard transaction == nil else { throw .misuse }
    try stored { () throws(StoreError) in try connection.begin() }
    do throws(LedgerError) {
      let unsealed = ledger.unsealed
      let row = try stored(.stateRow) { () throws(StoreError) in try connection.stateRow() }
      if let unsealed, row != unsealed.state { throw .damaged(.stateRow) }
      transaction = Transaction(unsealed: unsealed)
      return unsealed.map { CommitState($0.state) }
    } catch {
      rollback()
      throw error
    }
  }

  /// Undoes the transaction, if one is open.
  package func rollback() {
    transaction = nil
    ledger.unsealed?.table.unstage()
    // When even this fails, COMMIT is refused by the next BEGIN, and the file is at its last commit.
    try? connection.rollback()
  }

  /// Runs the changes of one item; when `body` throws, they are undone and the rest stays.
  ///
  /// - Parameters:
  ///   - wrap: makes an error of `body`'s kind when the database fails.
  ///   - body: the changes.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws. When the database failed, ``commit(_:)`` will fail too.
  @discardableResult
  package func savepoint<Result: ~Copyable, Failure: Error>(
    wrap: (LedgerError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let before = transaction?.changes else { throw wrap(.misuse) }
    do {
      return try connection.savepoint(wrap: { wrap(LedgerError($0)) }, body)
    } catch {
      transaction?.changes = before
      throw error
    }
  }

  /// Commits: computes what changed of the index once, writes the state row, and makes it durable.
  ///
  /// - Parameter state: where audit and clock stand afterwards; ignored while sealed.
  /// - Throws: ``LedgerError``; the transaction is then undone. After
  ///   ``StoreError/inputOutput(code:errno:)`` it may have become durable all the same:
  ///   ``reopen()`` and ``Ledger/proveAgain()`` tell.
  package func commit(_ state: CommitState) throws(LedgerError) {
    guard let transaction else { throw .misuse }
    do throws(LedgerError) {
      guard let unsealed = transaction.unsealed else {
        try stored { () throws(StoreError) in try connection.commit() }
        self.transaction = nil
        return
      }
      let row = try settle(state)
      try stored { () throws(StoreError) in try connection.commit() }
      unsealed.committed(row)
      self.transaction = nil
    } catch {
      transaction.unsealed?.table.unstage()
      rollback()
      throw error
    }
  }

  /// Copies the write-ahead log into the database file and cuts it to nothing, which ends what was
  /// erased; outside a transaction.
  ///
  /// - Returns: whether it is complete; `false` when a reader still needed the log.
  /// - Throws: ``LedgerError/store(_:)``.
  package func truncateLog() throws(LedgerError) -> Bool {
    guard transaction == nil else { throw .misuse }
    return try stored { () throws(StoreError) in try connection.truncateLog() }
  }

  /// Opens the database anew, after the device failed.
  ///
  /// - Throws: ``LedgerError/store(_:)``; the old connection is then still there.
  package func reopen() throws(LedgerError) {
    rollback()
    connection = try stored { () throws(StoreError) in try ledger.database.openWriter() }
  }

  /// Runs `body` with the open transaction, which must hold keys.
  func reader() throws(LedgerError) -> IndexReader {
    guard let transaction else { throw .misuse }
    guard let unsealed = transaction.unsealed else { throw .sealed }
    return IndexReader(connection: connection, unsealed: unsealed, view: unsealed.table.current)
  }
}
