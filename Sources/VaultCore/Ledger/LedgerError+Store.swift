import VaultStore

extension LedgerError {
  /// Sorts an error of the store: what it found damaged is damage of the vault.
  ///
  /// - Parameters:
  ///   - error: what the store said.
  ///   - damage: the part that was being read, named instead of the table or file.
  init(_ error: StoreError, _ damage: Damage? = nil) {
    if case .damaged(let found) = error {
      self = .damaged(damage ?? .database(found))
    } else {
      self = .store(error)
    }
  }
}

/// Runs `body` and translates the store's errors.
///
/// - Parameters:
///   - damage: what is damaged when the store finds the rows malformed.
///   - body: calls of the store.
/// - Returns: what `body` returns.
/// - Throws: the error as the ledger names it.
func stored<Result: ~Copyable>(
  _ damage: Damage? = nil, _ body: () throws(StoreError) -> Result
) throws(LedgerError) -> Result {
  do { return try body() } catch { throw LedgerError(error, damage) }
}
