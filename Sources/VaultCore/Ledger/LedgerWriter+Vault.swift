import VaultCrypto
package import VaultStore

// Slots, policy and outbox.
extension LedgerWriter {
  /// Stores a slot that was made beforehand.
  ///
  /// - Returns: its number.
  /// - Throws: ``LedgerError/tooManySlots``.
  package func addSlot(_ slot: PreparedSlot) throws(LedgerError) -> Int64 {
    let unsealed = try reader().unsealed
    var members = slotMembers(unsealed)
    guard members.count < LedgerFormat.maximumSlots else { throw .tooManySlots }
    let number = transaction?.changes.nextSlot ?? unsealed.state.nextSlot
    let row = SlotRow(slot: number, body: slot.body)
    try stored(.slot(number)) { () throws(StoreError) in
      // A number is given out once, so what stands there was not written by this vault.
      _ = try connection.eraseSlot(number)
      try connection.insert(row)
    }
    members[number] = unsealed.keys.digest(of: row)
    transaction?.changes.slots = members
    transaction?.changes.nextSlot = number + 1
    return number
  }

  /// Erases a slot; also one that is damaged, or that was put back after its removal.
  ///
  /// - Parameter number: the slot.
  /// - Throws: ``LedgerError/slotMissing``, ``LedgerError/lastSlot`` when no whole slot would be
  ///   left.
  package func removeSlot(_ number: Int64) throws(LedgerError) {
    let unsealed = try reader().unsealed
    var members = slotMembers(unsealed)
    let rows = try stored { () throws(StoreError) in try connection.slotRows() }
    guard rows.contains(where: { $0.slot == number }) || members[number] != nil else {
      throw .slotMissing
    }
    let isAnyLeft = rows.contains { row in
      row.slot != number && members[row.slot] == unsealed.keys.digest(of: row)
    }
    guard isAnyLeft else { throw .lastSlot }
    _ = try stored { () throws(StoreError) in try connection.eraseSlot(number) }
    members[number] = nil
    transaction?.changes.slots = members
  }

  private func slotMembers(_ unsealed: UnsealedLedger) -> [Int64: [UInt8]] {
    transaction?.changes.slots ?? LedgerFormat.slotDigests(unsealed.state.slotSet)
  }

  /// Seals and stores a policy over the one that is there.
  ///
  /// - Parameter content: the policy, at most 1,048,560 octets.
  /// - Returns: its revision.
  /// - Throws: ``LedgerError/tooLarge``.
  package func setPolicy(_ content: [UInt8]) throws(LedgerError) -> Int64 {
    guard content.count <= LedgerFormat.maximumPlaintext else { throw .tooLarge }
    let unsealed = try reader().unsealed
    let before = transaction?.changes.policy?.revision ?? unsealed.state.policyRevision
    let row = try PolicyRow(
      sealing: content, revision: before + 1, vaultID: unsealed.vaultID, unsealed.keys)
    try stored { () throws(StoreError) in try connection.put(row) }
    transaction?.changes.policy = row
    return row.revision
  }

  /// Adds a batch of audit lines to the outbox; also while sealed.
  package func addToOutbox(_ row: OutboxRow) throws(LedgerError) {
    guard transaction != nil else { throw .misuse }
    try stored { () throws(StoreError) in try connection.insert(row) }
  }

  /// Writes the MAC of a batch that was written while sealed.
  ///
  /// - Returns: whether the batch is there.
  package func setOutboxMAC(_ mac: [UInt8], batch: Int64) throws(LedgerError) -> Bool {
    guard transaction != nil else { throw .misuse }
    return try stored { () throws(StoreError) in
      try connection.setOutboxMAC(mac, batch: batch)
    }
  }

  /// Deletes the batches that are safely in a segment; within a transaction or outside.
  package func deleteOutbox(through batch: Int64) throws(LedgerError) {
    try stored { () throws(StoreError) in try connection.deleteOutbox(through: batch) }
  }

  /// Reads the outbox from a batch on, ascending.
  package func outbox(from batch: Int64, limit: Int) throws(LedgerError) -> [OutboxRow] {
    try stored { () throws(StoreError) in
      try connection.outboxRows(from: batch, limit: limit)
    }
  }

  /// Reads the batch of the outbox with the highest number; nothing of it is proven.
  package func newestOutboxRow() throws(LedgerError) -> OutboxRow? {
    try stored { () throws(StoreError) in try connection.newestOutboxRow() }
  }

  /// The state row as it stands in the database, not proven; for the committer while sealed.
  package func unprovenState() throws(LedgerError) -> CommitState? {
    try stored(.stateRow) { () throws(StoreError) in try connection.stateRow() }
      .map { CommitState($0) }
  }
}

extension PolicyRow {
  /// Seals a policy.
  init(
    sealing content: [UInt8], revision: Int64, vaultID: [UInt8], _ keys: VaultKeys
  ) throws(LedgerError) {
    let data = LedgerFormat.policyAssociatedData(vaultID: vaultID, revision: revision)
    do {
      let sealed = try keys.policy.seal(content.span, associatedData: data.span)
      self.init(revision: revision, nonce: sealed.nonce, box: sealed.box)
    } catch { throw .crypto(error) }
  }
}
