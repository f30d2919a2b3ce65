import VaultStore
package import WireCoding

/// A reader group that a namespace is found by.
package struct FoundGroup: Hashable, Sendable {
  /// The group's identifier, 16 octets.
  package let identifier: [UInt8]
  /// Whether the namespace has the group's resolving key, by which an advertisement is verified.
  package let isKeyed: Bool

  /// Makes a group.
  package init(_ identifier: [UInt8], isKeyed: Bool) {
    self.identifier = identifier
    self.isKeyed = isKeyed
  }
}

// What a namespace is found by, beside its name.
extension LedgerWriter {
  /// Makes a namespace findable by the reader groups of its pass, and by no other.
  ///
  /// - Parameters:
  ///   - groups: the groups, none to make it findable by none.
  ///   - name: the namespace.
  /// - Throws: ``LedgerError/namespaceMissing``.
  package func setReaderGroups(
    _ groups: [FoundGroup], of name: NamespaceName
  ) throws(LedgerError) {
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    try write(groups, of: row)
  }

  private func write(_ groups: [FoundGroup], of row: NamespaceRow) throws(LedgerError) {
    let rows = try reader().unsealed.keys.rows(of: groups, in: row.name)
    try stored { () throws(StoreError) in
      try connection.deleteReaderGroups(of: row.id)
      for group in rows { try connection.insert(group, of: row.id) }
    }
  }

  /// Writes the rows of the passes that an earlier schema had none for; to be the first change of
  /// its transaction.
  ///
  /// What is damaged is passed over: it cannot be opened, so it need not be found either.
  ///
  /// - Parameter groups: gives the reader groups of a namespace's pass.
  /// - Throws: ``LedgerError/store(_:)``, and what `groups` throws beside damage.
  package func indexReaderGroups(
    _ groups: (borrowing NamespaceContents) throws(LedgerError) -> [FoundGroup]
  ) throws(LedgerError) {
    let reader = try reader()
    try LedgerSnapshot(reader: reader).walk { bucket throws(LedgerError) in
      guard case .success(let rows) = bucket else { return }
      for row in rows where row.keyBox != nil {
        do throws(LedgerError) {
          let contents = NamespaceContents(
            reader: reader, row: row, dataKey: try reader.dataKey(of: row),
            rows: try reader.headers(of: row))
          try write(groups(contents), of: row)
        } catch {
          guard case .damaged = error else { throw error }
        }
      }
    }
    transaction?.changes.indexesGroups = true
  }
}
