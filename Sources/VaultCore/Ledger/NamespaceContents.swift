package import SecureMemory
import VaultCrypto
import VaultStore

/// The proven records of a namespace, ready to be opened within the same snapshot.
package struct NamespaceContents: ~Copyable {
  let reader: IndexReader
  let row: NamespaceRow
  let dataKey: SealingKey
  let rows: [RecordHeaderRow]

  /// The headers, by kind and identifier; records of kinds that a later release made are left out.
  package var headers: [RecordHeader] {
    rows.compactMap { RecordHeader($0) }
  }

  /// Opens a record.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - id: the identifier.
  /// - Returns: the content, `nil` when the set proves that there is no such record.
  /// - Throws: ``Damage/record(_:kind:id:)``; other records still open.
  package borrowing func open(
    _ kind: RecordKind, _ id: String
  ) throws(LedgerError) -> SecretBytes? {
    guard let header = rows.first(where: { $0.kind == kind.rawValue && $0.recordID == id }) else {
      return nil
    }
    return try reader.open(header, of: row, with: dataKey)
  }
}
