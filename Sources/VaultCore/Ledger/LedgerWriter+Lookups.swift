package import SecureMemory
import VaultStore
package import WireCoding

// What a namespace is found by, beside its name.
extension LedgerWriter {
  /// Makes a namespace findable by the reader groups of its pass, and by no other.
  ///
  /// - Parameters:
  ///   - groups: the groups' identifiers, none to make it findable by none.
  ///   - name: the namespace.
  /// - Throws: ``LedgerError/namespaceMissing``.
  package func setReaderGroups(
    _ groups: [[UInt8]], of name: NamespaceName
  ) throws(LedgerError) {
    let keys = try reader().unsealed.keys
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    try write(keys.readerGroupTags(of: groups), of: row)
  }

  private func write(_ tags: Set<[UInt8]>, of row: NamespaceRow) throws(LedgerError) {
    try stored { () throws(StoreError) in
      try connection.deleteReaderGroups(of: row.id)
      for tag in tags { try connection.insertReaderGroup(tag, of: row.id) }
    }
  }

  /// Writes the rows of the passes that an earlier schema had none for; to be the first change of
  /// its transaction.
  ///
  /// What is damaged is passed over: it cannot be opened, so it need not be found either.
  ///
  /// - Parameters:
  ///   - kind: the kind of the records that hold passes.
  ///   - id: their identifier.
  ///   - groups: reads the reader groups' identifiers out of the content of such a record.
  /// - Throws: ``LedgerError/store(_:)``.
  package func indexReaderGroups(
    by kind: RecordKind, _ id: String, _ groups: (borrowing SecretBytes) -> [[UInt8]]
  ) throws(LedgerError) {
    let reader = try reader()
    try LedgerSnapshot(reader: reader).walk { bucket throws(LedgerError) in
      guard case .success(let rows) = bucket else { return }
      for row in rows where row.keyBox != nil {
        do throws(LedgerError) {
          guard let header = try reader.headers(of: row).first(where: { $0.matches(kind, id) })
          else { continue }
          let content = try reader.open(header, of: row, with: reader.dataKey(of: row))
          try write(reader.unsealed.keys.readerGroupTags(of: groups(content)), of: row)
        } catch {
          guard case .damaged = error else { throw error }
        }
      }
    }
    transaction?.changes.indexesGroups = true
  }
}
