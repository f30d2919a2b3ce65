/// Where everything ends: one row, replaced by each commit.
package struct StateRow: Hashable, Sendable {
  /// Counts the commits that changed the index, the slots or the policy.
  package var indexVersion: Int64
  /// The audit epoch.
  package var epoch: Int64
  /// The number of the last audit line.
  package var seq: Int64
  /// The hash that the next audit line continues, 32 octets.
  package var chainHead: [UInt8]
  /// The time that the clock is never before, Unix seconds.
  package var clockFloor: Int64
  /// The digests of the 32 index groups, 32 octets each.
  package var indexRoot: [UInt8]
  /// Number (4 octets, big-endian) and digest (32 octets) of each slot, ascending.
  package var slotSet: [UInt8]
  /// The number the next slot gets.
  package var nextSlot: Int64
  /// The revision of the policy row.
  package var policyRevision: Int64
  /// The digest of the policy row, 32 octets.
  package var policyDigest: [UInt8]
  /// How many erasures wait for a truncating checkpoint.
  package var erasurePending: Int64
  /// Whether every pass has its rows in `reader_group`.
  package var groupsIndexed: Bool
  /// The MAC over all the above and the vault row, 32 octets.
  package var mac: [UInt8]

  /// Makes a row.
  package init(
    indexVersion: Int64, epoch: Int64, seq: Int64, chainHead: [UInt8], clockFloor: Int64,
    indexRoot: [UInt8], slotSet: [UInt8], nextSlot: Int64, policyRevision: Int64,
    policyDigest: [UInt8], erasurePending: Int64, groupsIndexed: Bool,
    mac: [UInt8]
  ) {
    self.indexVersion = indexVersion
    self.epoch = epoch
    self.seq = seq
    self.chainHead = chainHead
    self.clockFloor = clockFloor
    self.indexRoot = indexRoot
    self.slotSet = slotSet
    self.nextSlot = nextSlot
    self.policyRevision = policyRevision
    self.policyDigest = policyDigest
    self.erasurePending = erasurePending
    self.groupsIndexed = groupsIndexed
    self.mac = mac
  }
}

extension SQLiteConnection {
  /// Reads the state row, `nil` when it is missing.
  package func stateRow() throws(StoreError) -> StateRow? {
    try with(
      """
      SELECT index_version, epoch, seq, chain_head, clock_floor, index_root, slot_set, next_slot,
        policy_revision, policy_digest, erasure_pending, groups_indexed, mac FROM state WHERE id = 1
      """, .state
    ) { row throws(StoreError) in
      guard try row.step() else { return nil }
      return StateRow(
        indexVersion: try row.integer(0), epoch: try row.integer(1), seq: try row.integer(2),
        chainHead: try row.blob(3, count: 32), clockFloor: try row.integer(4),
        indexRoot: try row.blob(5, count: 1024), slotSet: try row.blob(6),
        nextSlot: try row.integer(7), policyRevision: try row.integer(8),
        policyDigest: try row.blob(9, count: 32), erasurePending: try row.integer(10),
        groupsIndexed: try row.integer(11) == 1, mac: try row.blob(12, count: 32))
    }
  }

  /// Reads only which version of the index this transaction sees, `nil` when the row is missing.
  package func indexVersion() throws(StoreError) -> Int64? {
    try with("SELECT index_version FROM state WHERE id = 1", .state) { row throws(StoreError) in
      try row.step() ? try row.integer(0) : nil
    }
  }

  /// Writes the state row, replacing the one there.
  package func put(_ state: StateRow) throws(StoreError) {
    try run(
      """
      INSERT INTO state (id, index_version, epoch, seq, chain_head, clock_floor, index_root,
        slot_set, next_slot, policy_revision, policy_digest, erasure_pending, groups_indexed, mac)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
      ON CONFLICT (id) DO UPDATE SET index_version = ?1, epoch = ?2, seq = ?3, chain_head = ?4,
        clock_floor = ?5, index_root = ?6, slot_set = ?7, next_slot = ?8, policy_revision = ?9,
        policy_digest = ?10, erasure_pending = ?11, groups_indexed = ?12, mac = ?13
      """, .state
    ) { row throws(StoreError) in
      try row.bind(1, state.indexVersion)
      try row.bind(2, state.epoch)
      try row.bind(3, state.seq)
      try row.bind(4, state.chainHead)
      try row.bind(5, state.clockFloor)
      try row.bind(6, state.indexRoot)
      try row.bind(7, state.slotSet)
      try row.bind(8, state.nextSlot)
      try row.bind(9, state.policyRevision)
      try row.bind(10, state.policyDigest)
      try row.bind(11, state.erasurePending)
      try row.bind(12, state.groupsIndexed ? 1 : 0)
      try row.bind(13, state.mac)
    }
  }
}
