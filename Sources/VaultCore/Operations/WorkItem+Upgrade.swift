extension WorkItem {
  /// Writes the reader groups of passes that were stored by an earlier release, to be found by
  /// advertisements; alone in its batch.
  static func upgrade() -> WorkItem {
    .mutation(AuditEntry("vault.upgrade", by: .daemon)) { context throws(VaultError) in
      try context.ledger { writer throws(LedgerError) in
        try writer.indexReaderGroups(by: .pass, PassRecord.identifier) { record in
          // A pass that is not one is damaged; opening its namespace says so.
          (try? PassRecord(opening: record))?.groups ?? []
        }
      }
    } finish: { _ in
    }
  }
}
