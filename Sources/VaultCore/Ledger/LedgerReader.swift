import VaultStore

/// Reads the ledger on one thread, with a connection of its own.
///
/// Not `Sendable`: made and used by the same thread, or handed over whole.
package final class LedgerReader {
  /// The ledger it reads.
  package let ledger: Ledger
  private let connection: SQLiteConnection

  /// Opens a reading connection; the writer's connection is open as long as this one.
  package init(_ ledger: Ledger) throws(LedgerError) {
    self.ledger = ledger
    connection = try stored { () throws(StoreError) in try ledger.database.openReader() }
  }

  /// The text of every statement it has prepared, for checks of their plans.
  var statementTexts: [String] { connection.statementTexts }

  /// Lets `body` read one consistent version of the vault.
  ///
  /// - Parameter body: what to read; the snapshot must not outlive the call.
  /// - Returns: what `body` returns.
  /// - Throws: ``LedgerError/sealed``, ``Damage/stateRow`` when the database is at a version that
  ///   the writer knows nothing of, and what `body` throws.
  package func read<Result: ~Copyable>(
    _ body: (LedgerSnapshot) throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    var attempts = 0
    while true {
      guard let unsealed = ledger.unsealed else { throw .sealed }
      try stored { () throws(StoreError) in try connection.beginReading() }
      defer { try? connection.rollback() }
      let version = try stored(.stateRow) { () throws(StoreError) in
        try connection.indexVersion()
      }
      if let version, let view = unsealed.table.view(version) {
        return try body(
          LedgerSnapshot(
            reader: IndexReader(connection: connection, unsealed: unsealed, view: view)))
      }
      // Another commit may have come in between; but one cannot follow another this often.
      attempts += 1
      guard attempts < 16 else { throw .damaged(.stateRow) }
    }
  }
}
