import SecureMemory
import VaultCrypto
import VaultStore
package import WireCoding

extension LedgerWriter {
  /// Finds a namespace as the transaction has it, tombstones included.
  ///
  /// - Returns: `nil` when the index proves that the name was never used.
  /// - Throws: ``LedgerError/damaged(_:)`` when neither can be proven.
  package func namespace(named name: NamespaceName) throws(LedgerError) -> NamespaceEntry? {
    guard let row = try row(named: name.rawValue) else { return nil }
    guard let entry = NamespaceEntry(row) else { throw .damaged(.bucket(row.bucket)) }
    return entry
  }

  /// Makes a namespace with a random identifier and data key.
  ///
  /// - Parameters:
  ///   - name: a name that was never used.
  ///   - time: now, Unix seconds.
  /// - Returns: the namespace.
  /// - Throws: ``LedgerError/namespaceExists``, also for a tombstone; ``LedgerError/damaged(_:)``.
  package func createNamespace(
    named name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> NamespaceEntry {
    let reader = try reader()
    guard try row(named: name.rawValue) == nil else { throw .namespaceExists }
    let keys = reader.unsealed.keys
    let id = SecureRandom.bytes(16)
    let wrapped = try newDataKey(of: id, reader.unsealed)
    let row = NamespaceRow(
      bucket: keys.bucket(of: name.rawValue), name: name.rawValue, id: id, generation: 1,
      state: NamespaceState.active.rawValue, keyVersions: KeyVersions().list, deleteAfter: 0,
      created: time, changed: time, recordSet: keys.digest(ofRecords: [], of: id),
      keyNonce: wrapped.nonce, keyBox: wrapped.box)
    guard let entry = NamespaceEntry(row) else { throw .misuse }
    try stored { () throws(StoreError) in try connection.insert(row) }
    var rows = transaction?.changes.buckets[row.bucket] ?? []
    let place = rows.firstIndex { $0.name.utf8.lexicographicallyPrecedes(row.name.utf8) == false }
    rows.insert(row, at: place ?? rows.endIndex)
    transaction?.changes.buckets[row.bucket] = rows
    transaction?.changes.changedBuckets.insert(row.bucket)
    transaction?.changes.records[id] = []
    return entry
  }

  /// Suspends or resumes a namespace and raises its generation.
  ///
  /// - Returns: the namespace as it is now.
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``.
  package func setSuspended(
    _ isSuspended: Bool, _ name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> NamespaceEntry {
    try changeLiving(name, at: time) { row in
      row.state = (isSuspended ? NamespaceState.suspended : .active).rawValue
      row.generation += 1
    }
  }

  /// Raises the generation of a namespace, which ends cached keys and finished computations.
  package func raiseGeneration(
    _ name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> NamespaceEntry {
    try changeLiving(name, at: time) { row in row.generation += 1 }
  }

  /// Stores which key versions were given out.
  package func setKeyVersions(
    _ versions: KeyVersions, _ name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> NamespaceEntry {
    try changeLiving(name, at: time) { row in row.keyVersions = versions.list }
  }

  /// Plans a deletion, or with `nil` gives it up.
  package func setDeleteAfter(
    _ due: Int64?, _ name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> NamespaceEntry {
    try changeLiving(name, at: time) { row in row.deleteAfter = max(due ?? 0, 0) }
  }

  /// Turns a namespace into a tombstone: its records and its data key are erased, its name stays
  /// taken.
  ///
  /// The erasure is complete once ``truncateLog()`` has succeeded after the commit.
  ///
  /// - Returns: the tombstone, and how many records it had.
  /// - Throws: ``LedgerError/namespaceMissing``, ``LedgerError/namespaceRevoked``. Damage among its
  ///   records is no obstacle.
  package func bury(
    _ name: NamespaceName, at time: Int64
  ) throws(LedgerError) -> (entry: NamespaceEntry, records: Int) {
    let keys = try reader().unsealed.keys
    guard let living = try row(named: name.rawValue) else { throw .namespaceMissing }
    guard living.state != NamespaceState.tombstone.rawValue else { throw .namespaceRevoked }
    let records = try stored { () throws(StoreError) in
      // In place first, so that the octets are gone from the page whatever becomes of the row.
      try connection.overwriteKey(of: living)
      try connection.deleteReaderGroups(of: living.id)
      return try connection.deleteRecords(of: living.id)
    }
    transaction?.changes.records[living.id] = []
    transaction?.changes.changedRecords[living.id] = nil
    let entry = try changeLiving(name, at: time) { row in
      row.state = NamespaceState.tombstone.rawValue
      row.generation += 1
      row.deleteAfter = 0
      row.recordSet = keys.digest(ofRecords: [], of: row.id)
      row.keyNonce = nil
      row.keyBox = nil
    }
    return (entry, records)
  }

  /// Lists the names below another one that are no tombstones, as the transaction has them.
  ///
  /// That none was left out is *not* proven.
  ///
  /// - Parameters:
  ///   - name: the name that they are below.
  ///   - limit: the most to give.
  /// - Returns: the names, in byte order.
  /// - Throws: ``LedgerError/damaged(_:)`` for what is no name, ``LedgerError/store(_:)``.
  func livingNames(
    below name: NamespaceName, limit: Int
  ) throws(LedgerError) -> [NamespaceName] {
    let found = try stored { () throws(StoreError) in
      try connection.livingNames(below: name.rawValue, limit: limit)
    }
    var names: [NamespaceName] = []
    for text in found {
      guard let name = try? NamespaceName(text) else { throw .damaged(.nameIndex(text)) }
      names.append(name)
    }
    return names
  }

  /// The row of a name within the transaction, from a proven bucket.
  func row(named name: String) throws(LedgerError) -> NamespaceRow? {
    let reader = try reader()
    let bucket = reader.unsealed.keys.bucket(of: name)
    if let rows = transaction?.changes.buckets[bucket] {
      return rows.first { $0.name == name }
    }
    let rows = try reader.rows(inBucket: bucket)
    transaction?.changes.buckets[bucket] = rows
    return rows.first { $0.name == name }
  }

  /// Changes the row of a name in the database and in the pending bucket.
  @discardableResult
  func change(
    _ name: String, _ body: (inout NamespaceRow) throws(LedgerError) -> Void
  ) throws(LedgerError) -> NamespaceRow {
    guard var row = try row(named: name) else { throw .namespaceMissing }
    try body(&row)
    let changed = row
    let wasThere = try stored { () throws(StoreError) in try connection.update(changed) }
    guard wasThere, var rows = transaction?.changes.buckets[changed.bucket],
      let place = rows.firstIndex(where: { $0.name == name })
    else { throw .damaged(.bucket(changed.bucket)) }
    rows[place] = changed
    transaction?.changes.buckets[changed.bucket] = rows
    transaction?.changes.changedBuckets.insert(changed.bucket)
    return changed
  }

  private func changeLiving(
    _ name: NamespaceName, at time: Int64, _ body: (inout NamespaceRow) -> Void
  ) throws(LedgerError) -> NamespaceEntry {
    let row = try change(name.rawValue) { row throws(LedgerError) in
      guard row.state != NamespaceState.tombstone.rawValue else { throw .namespaceRevoked }
      body(&row)
      row.changed = time
    }
    guard let entry = NamespaceEntry(row) else { throw .damaged(.bucket(row.bucket)) }
    return entry
  }

  private func newDataKey(
    of id: [UInt8], _ unsealed: UnsealedLedger
  ) throws(LedgerError) -> Sealed {
    let data = LedgerFormat.dataKeyAssociatedData(vaultID: unsealed.vaultID, namespaceID: id)
    let key: SecretBytes
    do { key = try SecretBytes(random: 32) } catch { throw .memory(error) }
    do {
      return try key.withBytes { key throws(VaultCryptoError) in
        try unsealed.keys.wrap.seal(key, associatedData: data.span)
      }
    } catch { throw .crypto(error) }
  }
}
