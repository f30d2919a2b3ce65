/// What unsealing found.
package struct UnsealReport: Hashable, Sendable {
  /// The slot that was opened; 0 when the keys were already there.
  package let slot: Int64
  /// Where the audit and the clock stand.
  package let state: CommitState
  /// What is damaged; what is not named here and not within it works.
  package let damage: [Damage]
}

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
