import VaultCrypto
import VaultStore

/// Where the audit log stands: the number of the last batch, and the chain after it.
struct AuditPosition: Hashable, Sendable {
  /// The number of the last batch.
  var epoch: Int64
  /// The last line's number and digest.
  var chain: AuditChain

  init(epoch: Int64, chain: AuditChain) {
    self.epoch = epoch
    self.chain = chain
  }

  /// The position that a state row tells; before the first batch, the start of the vault's chain.
  init(_ state: CommitState, vaultID: [UInt8]) {
    self.init(
      epoch: state.epoch,
      chain: state.epoch == 0
        ? AuditChain(vaultID: vaultID) : AuditChain(sequence: state.seq, head: state.chainHead))
  }

  /// Where a sealed vault goes on: behind whatever stands in the database.
  ///
  /// Nothing of it is proven before the vault is unsealed, so numbers that cannot be are passed over.
  init(resuming writer: LedgerWriter, vaultID: [UInt8]) throws(LedgerError) {
    self.init(epoch: 0, chain: AuditChain(vaultID: vaultID))
    if let state = try writer.unprovenState(), AuditChain.numbers.contains(state.epoch),
      AuditChain.numbers.contains(state.seq)
    {
      self = AuditPosition(state, vaultID: vaultID)
    }
    for row in try writer.outbox(after: epoch) {
      guard AuditChain.numbers.contains(row.batch), AuditChain.numbers.contains(row.lastSeq),
        let last = row.lines.split(separator: UInt8(ascii: "\n")).last
      else { continue }
      chain = AuditChain(sequence: row.lastSeq, head: BLAKE2b.hash(Array(last).span))
      epoch = row.batch
    }
  }
}
