import VaultCrypto

extension WorkItem {
  /// Writes the reader groups of passes that were stored by an earlier release, to be found by
  /// advertisements; alone in its batch.
  static func upgrade() -> WorkItem {
    .mutation(AuditEntry("vault.upgrade", by: .daemon)) { context throws(VaultError) in
      try context.ledger { writer throws(LedgerError) in
        try writer.indexReaderGroups { contents throws(LedgerError) in
          guard let record = try contents.open(.pass, PassRecord.identifier) else { return [] }
          // A pass that is not one is damaged; opening its namespace says so.
          return try (try? PassRecord(opening: record))?.found(with: resolvingKeys(contents)) ?? []
        }
      }
    } finish: { _ in
    }
  }

  /// The keys of a pass that was stored since the vault was opened.
  private static func resolvingKeys(
    _ contents: borrowing NamespaceContents
  ) throws(LedgerError) -> GroupResolvingKeys? {
    guard let record = try contents.open(.readerContext, GroupResolvingKeys.identifier) else {
      return nil
    }
    do { return try GroupResolvingKeys(opening: record) } catch {
      if error.code == .busy { throw .crypto(.memoryExhausted) }
      return nil
    }
  }
}
