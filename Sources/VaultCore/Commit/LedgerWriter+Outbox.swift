import VaultStore

extension LedgerWriter {
  /// The whole outbox from a batch on; it is short, as exported batches are removed.
  func allOutbox(from batch: Int64) throws(LedgerError) -> [OutboxRow] {
    var rows: [OutboxRow] = []
    while true {
      let next = (rows.last?.batch).map { $0 + 1 } ?? batch
      let page = try outbox(from: next, limit: 256)
      rows.append(contentsOf: page)
      if page.count < 256 { return rows }
    }
  }

  /// Removes the batches after one, which nothing vouches for.
  func dropOutbox(after batch: Int64) throws(LedgerError) {
    try stored { () throws(StoreError) in
      _ = try connection.run("DELETE FROM audit_outbox WHERE batch > ?1", .auditOutbox) {
        row throws(StoreError) in
        try row.bind(1, batch)
      }
    }
  }
}
