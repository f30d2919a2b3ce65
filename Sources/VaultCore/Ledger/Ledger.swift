import SecureMemory
import Synchronization
package import VaultCrypto
package import VaultStore

/// The authenticated contents of a vault: what all threads share of it.
///
/// Each reading thread makes a ``LedgerReader``; the committer has the only ``LedgerWriter``.
package final class Ledger: Sendable {
  /// Where the database is.
  package let database: VaultDatabase
  /// The identifier in the vault row, 16 octets; not proven before the vault is unsealed.
  package let vaultID: [UInt8]
  private let opened = Mutex<UnsealedLedger?>(nil)

  private init(database: VaultDatabase, vaultID: [UInt8]) {
    self.database = database
    self.vaultID = vaultID
  }

  /// Opens the database of a vault, whose directory the caller has locked.
  ///
  /// - Parameter database: where it is.
  /// - Returns: the ledger, sealed, and its writer, for the thread that will commit.
  /// - Throws: ``LedgerError/store(_:)`` with ``StoreError/newerSchema(found:supported:)`` or
  ///   ``StoreError/notAVault`` before anything was touched, ``LedgerError/damaged(_:)``.
  package static func open(
    _ database: VaultDatabase
  ) throws(LedgerError) -> sending (ledger: Ledger, writer: LedgerWriter) {
    let connection = try stored { () throws(StoreError) in try database.openWriter() }
    let row = try stored(.vaultRow) { () throws(StoreError) in try connection.vaultRow() }
    guard let row else { throw .damaged(.vaultRow) }
    let ledger = Ledger(database: database, vaultID: row.vaultID)
    return (ledger, LedgerWriter(ledger, connection))
  }

  /// The keys and proofs, `nil` while sealed.
  package var unsealed: UnsealedLedger? { opened.withLock { $0 } }

  /// Finds a slot that a secret opens.
  ///
  /// Slow for passphrases: to be called on a worker.
  ///
  /// - Parameters:
  ///   - secret: what opens it.
  ///   - number: the only slot to try, `nil` for all of the secret's kind.
  /// - Returns: the master key, not yet proven to be this vault's.
  /// - Throws: ``LedgerError/unseal(_:)``: the wrong secret for every slot that is whole, or damage
  ///   when none is.
  package func openSlot(
    _ secret: borrowing UnsealSecret, slot number: Int64? = nil
  ) throws(LedgerError) -> MasterKeyBox {
    let rows = try stored { () throws(StoreError) in
      try database.openReader().slotRows()
    }
    var failure = UnsealFailure.noSuchSlot
    for row in rows where number == nil || row.slot == number {
      do throws(LedgerError) {
        let slot = try UnsealSlot(row)
        guard slot.header.kind == secret.kind else { continue }
        return try MasterKeyBox(slot, try slot.open(with: secret))
      } catch {
        // The most telling failure is kept: a whole slot that refused the secret.
        switch error {
        case .unseal(.wrongSecret): failure = .wrongSecret
        case .unseal(.damagedSlot): if failure == .noSuchSlot { failure = .damagedSlot }
        case .unsupportedFormat where number == nil: continue
        default: throw error
        }
      }
    }
    throw .unseal(failure)
  }

  /// Proves what a master key can prove and, if the state row is whole, unseals.
  ///
  /// - Parameter box: what ``openSlot(_:slot:)`` gave.
  /// - Returns: what was found, damage that leaves the rest usable included.
  /// - Throws: ``UnsealFailure/otherVault``; ``LedgerError/damaged(_:)`` for the vault row, the state
  ///   row or the slot itself, which may have been removed and put back.
  package func unseal(_ box: MasterKeyBox) throws(LedgerError) -> UnsealReport {
    let proof = try LedgerProof(database, keys: box.keys, slotVaultID: box.header.vaultID)
    guard proof.slots[box.slot] == box.keys.digest(of: box.row) else {
      throw .damaged(.slot(box.slot))
    }
    opened.withLock { $0 = proof.ledger }
    return UnsealReport(
      slot: box.slot, state: CommitState(proof.ledger.state), damage: proof.damage)
  }

  /// Proves everything again with the keys in memory, after the device failed under a commit.
  ///
  /// - Returns: what was found.
  /// - Throws: ``LedgerError/sealed``, ``LedgerError/damaged(_:)``; the vault is then sealed.
  package func proveAgain() throws(LedgerError) -> UnsealReport {
    guard let keys = opened.withLock({ $0.take() })?.keys else { throw .sealed }
    let proof = try LedgerProof(database, keys: keys, slotVaultID: nil)
    opened.withLock { $0 = proof.ledger }
    return UnsealReport(slot: 0, state: CommitState(proof.ledger.state), damage: proof.damage)
  }

  /// Forgets the keys; they are wiped once the transactions that still use them have ended.
  package func seal() {
    opened.withLock { $0 = nil }
  }

  /// Makes a slot for this vault, to be stored by the committer.
  ///
  /// Slow for passphrases: to be called on a worker.
  ///
  /// - Parameters:
  ///   - secret: what shall open it.
  ///   - label: what people call it, at most 64 octets.
  ///   - created: the time, Unix seconds.
  ///   - parameters: what Argon2id costs, if the secret is a passphrase.
  /// - Returns: the slot.
  /// - Throws: ``LedgerError/sealed``, ``LedgerError/tooLarge``, ``LedgerError/crypto(_:)``.
  package func prepareSlot(
    _ secret: borrowing UnsealSecret, label: String, created: Int64,
    parameters: Argon2id.Parameters = .moderate
  ) throws(LedgerError) -> PreparedSlot {
    guard let unsealed else { throw .sealed }
    return PreparedSlot(
      body: try UnsealSlot.body(
        sealing: unsealed.keys.master, for: secret, vaultID: unsealed.vaultID, label: label,
        created: created, parameters: parameters))
  }
}
