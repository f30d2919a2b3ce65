import VaultStore

extension LedgerWriter {
  /// All of the outbox behind a batch.
  ///
  /// Short, behind the last proven one: what was written while sealed.
  func outbox(after batch: Int64) throws(LedgerError) -> [OutboxRow] {
    var rows: [OutboxRow] = []
    var last = batch
    while last < Int64.max {
      let page = try outbox(from: last + 1, limit: 256)
      rows.append(contentsOf: page)
      guard page.count == 256, let end = page.last else { break }
      last = end.batch
    }
    return rows
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
