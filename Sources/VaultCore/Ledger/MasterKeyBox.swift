import VaultCrypto
import VaultStore

/// A master key that a slot gave, on its way to ``Ledger/unseal(_:)``.
///
/// The derivation is slow and happens on a worker; the box carries its result to the thread that
/// opens the ledger. The key leaves the box once.
package final class MasterKeyBox: Sendable {
  /// The slot that was opened.
  package let slot: Int64
  /// Its kind.
  package let kind: SlotKind
  let keys: VaultKeys
  let header: SlotHeader
  let row: SlotRow

  init(_ slot: UnsealSlot, _ master: consuming MasterKey) throws(LedgerError) {
    self.slot = slot.row.slot
    kind = slot.header.kind
    header = slot.header
    row = slot.row
    keys = try VaultKeys(master)
  }
}
