import Synchronization
import VaultStore

/// What is in memory while the vault is unsealed: the keys, and what they have proven.
package final class UnsealedLedger: Sendable {
  /// The keys.
  package let keys: VaultKeys
  /// The vault row, proven.
  let vault: VaultRow
  /// The digests that rows are checked against.
  let table: IndexTable
  /// The state row of the last commit.
  private let lastState: Mutex<StateRow>

  init(keys: VaultKeys, vault: VaultRow, state: StateRow, view: IndexView) {
    self.keys = keys
    self.vault = vault
    table = IndexTable(view)
    lastState = Mutex(state)
  }

  /// The identifier of the vault, 16 octets.
  package var vaultID: [UInt8] { vault.vaultID }

  /// The state row of the last commit.
  var state: StateRow { lastState.withLock { $0 } }

  /// A commit succeeded with this state row.
  func committed(_ state: StateRow) {
    lastState.withLock { $0 = state }
    table.promote()
  }
}
