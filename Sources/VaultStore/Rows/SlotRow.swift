/// One way to the master key; the store does not look into the body.
package struct SlotRow: Hashable, Sendable {
  /// The number of the slot, from 1, never used twice.
  package var slot: Int64
  /// The canonical slot record.
  package var body: [UInt8]

  /// Makes a row.
  package init(slot: Int64, body: [UInt8]) {
    self.slot = slot
    self.body = body
  }
}

extension SQLiteConnection {
  /// Reads all slots, ascending; a vault has a handful.
  ///
  /// A body that is no blob reads as empty, so that one damaged slot does not hide the others.
  package func slotRows() throws(StoreError) -> [SlotRow] {
    try with("SELECT slot, body FROM slot ORDER BY slot", .slot) { row throws(StoreError) in
      var slots: [SlotRow] = []
      while try row.step() {
        slots.append(SlotRow(slot: try row.integer(0), body: (try? row.blob(1)) ?? []))
      }
      return slots
    }
  }

  /// Adds a slot; its number must be free.
  package func insert(_ slot: SlotRow) throws(StoreError) {
    try run("INSERT INTO slot (slot, body) VALUES (?1, ?2)", .slot) { row throws(StoreError) in
      try row.bind(1, slot.slot)
      try row.bind(2, slot.body)
    }
  }

  /// Overwrites a slot's octets in place, then deletes it.
  ///
  /// - Returns: whether it was there.
  package func eraseSlot(_ slot: Int64) throws(StoreError) -> Bool {
    try run("UPDATE slot SET body = zeroblob(length(body)) WHERE slot = ?1", .slot) {
      row throws(StoreError) in try row.bind(1, slot)
    }
    return try run("DELETE FROM slot WHERE slot = ?1", .slot) { row throws(StoreError) in
      try row.bind(1, slot)
    } == 1
  }
}
