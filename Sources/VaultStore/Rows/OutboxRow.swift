/// The audit lines of one committed batch that are not yet known to be in a segment.
package struct OutboxRow: Hashable, Sendable {
  /// The number of the batch, ascending.
  package var batch: Int64
  /// The number of its first audit line.
  package var firstSeq: Int64
  /// The number of its last audit line.
  package var lastSeq: Int64
  /// The lines as they go to the segment.
  package var lines: [UInt8]
  /// The MAC over the lines, `nil` when they were written while sealed.
  package var mac: [UInt8]?

  /// Makes a row.
  package init(batch: Int64, firstSeq: Int64, lastSeq: Int64, lines: [UInt8], mac: [UInt8]?) {
    self.batch = batch
    self.firstSeq = firstSeq
    self.lastSeq = lastSeq
    self.lines = lines
    self.mac = mac
  }
}

extension SQLiteConnection {
  /// Reads the outbox from a batch on, ascending.
  ///
  /// - Parameters:
  ///   - batch: the first batch of interest.
  ///   - limit: the most rows to give.
  /// - Returns: the rows.
  /// - Throws: ``StoreError``.
  package func outboxRows(from batch: Int64, limit: Int) throws(StoreError) -> [OutboxRow] {
    try with(
      """
      SELECT batch, first_seq, last_seq, lines, mac FROM audit_outbox WHERE batch >= ?1
      ORDER BY batch LIMIT ?2
      """, .auditOutbox
    ) { row throws(StoreError) in
      try row.bind(1, batch)
      try row.bind(2, Int64(clamping: limit))
      var rows: [OutboxRow] = []
      while try row.step() { rows.append(try OutboxRow(row)) }
      return rows
    }
  }

  /// Reads the batch of the outbox with the highest number.
  package func newestOutboxRow() throws(StoreError) -> OutboxRow? {
    try with(
      """
      SELECT batch, first_seq, last_seq, lines, mac FROM audit_outbox
      ORDER BY batch DESC LIMIT 1
      """, .auditOutbox
    ) { row throws(StoreError) in
      try row.step() ? try OutboxRow(row) : nil
    }
  }

  /// Adds a batch to the outbox; its number must be free.
  package func insert(_ outbox: OutboxRow) throws(StoreError) {
    try run(
      """
      INSERT INTO audit_outbox (batch, first_seq, last_seq, lines, mac)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """, .auditOutbox
    ) { row throws(StoreError) in
      try row.bind(1, outbox.batch)
      try row.bind(2, outbox.firstSeq)
      try row.bind(3, outbox.lastSeq)
      try row.bind(4, outbox.lines)
      try row.bind(5, outbox.mac)
    }
  }

  /// Writes the MAC of a batch that was written while sealed.
  ///
  /// - Returns: whether the batch was there.
  package func setOutboxMAC(_ mac: [UInt8], batch: Int64) throws(StoreError) -> Bool {
    try run("UPDATE audit_outbox SET mac = ?2 WHERE batch = ?1", .auditOutbox) {
      row throws(StoreError) in
      try row.bind(1, batch)
      try row.bind(2, mac)
    } == 1
  }

  /// Deletes the batches up to and with this one, once they are in a segment.
  package func deleteOutbox(through batch: Int64) throws(StoreError) {
    try run("DELETE FROM audit_outbox WHERE batch <= ?1", .auditOutbox) {
      row throws(StoreError) in
      try row.bind(1, batch)
    }
  }
}

extension OutboxRow {
  fileprivate init(_ row: Statement) throws(StoreError) {
    self.init(
      batch: try row.integer(0), firstSeq: try row.integer(1), lastSeq: try row.integer(2),
      lines: try row.blob(3), mac: try row.optionalBlob(4, count: 32))
  }
}
