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

  /// The position of a proven state row.
  init(_ state: CommitState) {
    self.init(
      epoch: state.epoch, chain: AuditChain(sequence: state.seq, head: state.chainHead))
  }

  /// Where a sealed vault goes on: behind whatever stands in the database. Nothing of it is proven
  /// before the vault is unsealed.
  init(resuming writer: LedgerWriter, vaultID: [UInt8]) throws(LedgerError) {
    self.init(epoch: 0, chain: AuditChain(vaultID: vaultID))
    if let state = try writer.unprovenState(), state.epoch > 0 { self = AuditPosition(state) }
    for row in try writer.allOutbox(from: epoch + 1) {
      let lines = row.lines.split(separator: UInt8(ascii: "\n"))
      guard let last = lines.last else { continue }
      chain = AuditChain(sequence: row.lastSeq, head: BLAKE2b.hash(Array(last).span))
      epoch = row.batch
    }
  }
}
