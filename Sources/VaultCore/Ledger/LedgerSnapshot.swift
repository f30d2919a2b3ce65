import SecureMemory
import VaultCrypto
import VaultStore
package import WireCoding

/// One version of the ledger, as a reading transaction sees it; every answer is proven.
package struct LedgerSnapshot {
  let reader: IndexReader

  /// Finds a namespace, tombstones included.
  ///
  /// - Parameter name: its name.
  /// - Returns: `nil` when the index proves that the name was never used.
  /// - Throws: ``LedgerError/damaged(_:)`` when neither can be proven.
  package func namespace(named name: NamespaceName) throws(LedgerError) -> NamespaceEntry? {
    let bucket = reader.unsealed.keys.bucket(of: name.rawValue)
    let rows = try reader.rows(inBucket: bucket)
    guard let row = rows.first(where: { $0.name == name.rawValue }) else { return nil }
    guard let entry = NamespaceEntry(row) else { throw .damaged(.bucket(bucket)) }
    return entry
  }

  /// Proves the records of a namespace and makes its data key ready.
  ///
  /// - Parameter entry: the namespace, from this snapshot.
  /// - Returns: headers and key.
  /// - Throws: ``LedgerError/namespaceRevoked`` for a tombstone, ``LedgerError/damaged(_:)``.
  package func contents(of entry: NamespaceEntry) throws(LedgerError) -> NamespaceContents {
    NamespaceContents(
      reader: reader, row: entry.row, dataKey: try reader.dataKey(of: entry.row),
      rows: try reader.headers(of: entry.row))
  }

  /// Opens the policy.
  ///
  /// - Returns: its revision and octets.
  /// - Throws: ``Damage/policy`` or ``Damage/stateRow``.
  package func policy() throws(LedgerError) -> SealedPolicy {
    let state = try verifiedState()
    let row = try stored(.policy) { () throws(StoreError) in try reader.connection.policyRow() }
    guard let row, row.revision == state.policyRevision,
      reader.unsealed.keys.digest(of: row) == state.policyDigest
    else { throw .damaged(.policy) }
    let data = LedgerFormat.policyAssociatedData(
      vaultID: reader.unsealed.vaultID, revision: row.revision)
    do {
      let octets = try reader.unsealed.keys.policy.open(
        nonce: row.nonce.span, box: row.box.span, associatedData: data.span)
      return SealedPolicy(revision: row.revision, octets: octets)
    } catch {
      throw .opening(error, .policy)
    }
  }

  /// Describes the slots, ascending.
  ///
  /// - Returns: each slot, or that it is damaged.
  package func slots() throws(LedgerError) -> [SlotListing] {
    let digests = LedgerFormat.slotDigests(try verifiedState().slotSet)
    let rows = try stored { () throws(StoreError) in try reader.connection.slotRows() }
    let present = Set(rows.map(\.slot))
    let missing = digests.keys.filter { !present.contains($0) }
    let listed = rows.map { row in
      let isMember = digests[row.slot] == reader.unsealed.keys.digest(of: row)
      let header = isMember ? try? UnsealSlot(row).header : nil
      return SlotListing(slot: row.slot, header: header)
    }
    return (listed + missing.map { SlotListing(slot: $0, header: nil) })
      .sorted { $0.slot < $1.slot }
  }

  private func verifiedState() throws(LedgerError) -> StateRow {
    let row = try stored(.stateRow) { () throws(StoreError) in try reader.connection.stateRow() }
    guard let row, reader.unsealed.keys.mac(of: row, in: reader.unsealed.vault) == row.mac else {
      throw .damaged(.stateRow)
    }
    return row
  }
}
