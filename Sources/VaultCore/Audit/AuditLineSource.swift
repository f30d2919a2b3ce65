import VaultStore

/// Finds single lines of the audit log.
package protocol AuditLineSource: Sendable {
  /// Finds a line by its number; slow.
  ///
  /// - Parameters:
  ///   - sequence: the number.
  ///   - ledger: the ledger, unsealed.
  /// - Returns: the line, `nil` when there is none.
  /// - Throws: ``VaultError``.
  func line(_ sequence: Int64, of ledger: Ledger) throws(VaultError) -> [UInt8]?
}

/// The lines that still wait in the database for their export.
struct OutboxLines: AuditLineSource {
  func line(_ sequence: Int64, of ledger: Ledger) throws(VaultError) -> [UInt8]? {
    do throws(LedgerError) {
      return try LedgerReader(ledger).read { snapshot throws(LedgerError) in
        guard let batch = try snapshot.outboxBatch(holding: sequence) else { return nil }
        let lines = batch.lines.split(separator: UInt8(ascii: "\n"))
        let place = sequence - batch.firstSeq
        guard place >= 0, place < lines.count else { return nil }
        return Array(lines[Int(place)])
      }
    } catch {
      throw VaultError(error)
    }
  }
}

extension LedgerSnapshot {
  /// The batch of the outbox that has a line, not proven.
  fileprivate func outboxBatch(holding sequence: Int64) throws(LedgerError) -> OutboxRow? {
    var next: Int64 = 0
    while true {
      let start = next
      let page = try stored { () throws(StoreError) in
        try reader.connection.outboxRows(from: start, limit: 64)
      }
      if let found = page.first(where: { $0.lastSeq >= sequence }) { return found }
      guard let last = page.last, page.count == 64 else { return nil }
      next = last.batch + 1
    }
  }
}
