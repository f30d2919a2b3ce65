import VaultStore

/// The part of the state row that the committer decides.
package struct CommitState: Hashable, Sendable {
  /// The audit epoch.
  package var epoch: Int64
  /// The number of the last audit line.
  package var seq: Int64
  /// The hash that the next audit line continues, 32 octets.
  package var chainHead: [UInt8]
  /// The time that the clock is never before, Unix seconds.
  package var clockFloor: Int64
  /// How many erasures wait for a truncating checkpoint.
  package var erasurePending: Int64

  /// Makes a state.
  package init(
    epoch: Int64, seq: Int64, chainHead: [UInt8], clockFloor: Int64, erasurePending: Int64
  ) {
    self.epoch = epoch
    self.seq = seq
    self.chainHead = chainHead
    self.clockFloor = clockFloor
    self.erasurePending = erasurePending
  }
}

extension CommitState {
  init(_ row: StateRow) {
    self.init(
      epoch: row.epoch, seq: row.seq, chainHead: row.chainHead, clockFloor: row.clockFloor,
      erasurePending: row.erasurePending)
  }
}
