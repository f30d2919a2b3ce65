package import SecureMemory
import VaultCrypto
import VaultStore
package import WireCoding

extension LedgerWriter {
  /// Proves the records of a namespace as the transaction has them.
  ///
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``,
  ///   ``LedgerError/damaged(_:)``.
  package func contents(
    of name: NamespaceName
  ) throws(LedgerError) -> NamespaceContents {
    let reader = try reader()
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    return NamespaceContents(
      reader: reader, row: row, dataKey: try reader.dataKey(of: row), rows: try headers(of: row))
  }

  /// Seals a record and stores it, over the version that is there.
  ///
  /// - Parameters:
  ///   - content: what to seal, at most 1,048,560 octets.
  ///   - kind: the kind.
  ///   - id: the identifier, unique within namespace and kind, at most 255 octets.
  ///   - name: the namespace.
  /// - Returns: the header of the new version.
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``,
  ///   ``LedgerError/tooLarge``, ``LedgerError/damaged(_:)``.
  @discardableResult
  package func put(
    _ content: borrowing SecretBytes, _ kind: RecordKind, _ id: String, in name: NamespaceName
  ) throws(LedgerError) -> RecordHeader {
    guard content.count <= LedgerFormat.maximumPlaintext, id.utf8.count <= 255 else {
      throw .tooLarge
    }
    let reader = try reader()
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    let dataKey = try reader.dataKey(of: row)
    var headers = try headers(of: row)
    let place = headers.firstIndex { !$0.precedes(kind, id) } ?? headers.endIndex
    let isThere = place < headers.endIndex && headers[place].matches(kind, id)
    let revision = isThere ? headers[place].revision + 1 : 1
    let data = LedgerFormat.associatedData(
      vaultID: reader.unsealed.vaultID, namespaceID: row.id, kind: kind.rawValue, recordID: id,
      revision: revision)
    let sealed: Sealed
    do {
      sealed = try content.withBytes { content throws(VaultCryptoError) in
        try dataKey.seal(content, associatedData: data.span)
      }
    } catch { throw .crypto(error) }
    let header = RecordHeaderRow(
      kind: kind.rawValue, recordID: id, revision: revision, nonce: sealed.nonce)
    try stored { () throws(StoreError) in
      try connection.put(header, box: sealed.box, of: row.id)
    }
    if isThere { headers[place] = header } else { headers.insert(header, at: place) }
    keep(headers, of: row)
    return RecordHeader(kind: kind, id: id, revision: revision, nonce: sealed.nonce)
  }

  /// Deletes a record.
  ///
  /// - Returns: whether there was one; that there was none is proven.
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``,
  ///   ``LedgerError/damaged(_:)``.
  package func delete(
    _ kind: RecordKind, _ id: String, in name: NamespaceName
  ) throws(LedgerError) -> Bool {
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    guard row.state != NamespaceState.tombstone.rawValue else { throw .namespaceRevoked }
    var headers = try headers(of: row)
    guard let place = headers.firstIndex(where: { $0.matches(kind, id) }) else { return false }
    let wasThere = try stored { () throws(StoreError) in
      try connection.deleteRecord(of: row.id, kind: kind.rawValue, recordID: id)
    }
    guard wasThere else { throw .damaged(.recordSet(NamespaceID(unchecked: row.id))) }
    headers.remove(at: place)
    keep(headers, of: row)
    return true
  }

  /// Deletes every record of a kind.
  ///
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``,
  ///   ``LedgerError/damaged(_:)``.
  package func deleteAll(_ kind: RecordKind, in name: NamespaceName) throws(LedgerError) {
    guard let row = try row(named: name.rawValue) else { throw .namespaceMissing }
    for header in try headers(of: row) where header.kind == kind.rawValue {
      _ = try delete(kind, header.recordID, in: name)
    }
  }

  /// The headers of a namespace within the transaction, proven when first read.
  private func headers(of row: NamespaceRow) throws(LedgerError) -> [RecordHeaderRow] {
    if let headers = transaction?.changes.records[row.id] { return headers }
    let headers = try reader().headers(of: row)
    transaction?.changes.records[row.id] = headers
    return headers
  }

  private func keep(_ headers: [RecordHeaderRow], of row: NamespaceRow) {
    transaction?.changes.records[row.id] = headers
    transaction?.changes.changedRecords[row.id] = row.name
  }
}

extension RecordHeaderRow {
  /// Whether it is the header of this record.
  func matches(_ kind: RecordKind, _ id: String) -> Bool {
    self.kind == kind.rawValue && recordID == id
  }

  /// Whether it comes before another record in the order of the table: kind, then octets.
  fileprivate func precedes(_ kind: RecordKind, _ id: String) -> Bool {
    if self.kind != kind.rawValue { return self.kind < kind.rawValue }
    return recordID.utf8.lexicographicallyPrecedes(id.utf8)
  }
}
