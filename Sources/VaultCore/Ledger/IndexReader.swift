import SecureMemory
import VaultCrypto
import VaultStore

/// Reads rows within one transaction and proves them against the digests of its version.
struct IndexReader {
  let connection: SQLiteConnection
  let unsealed: UnsealedLedger
  let view: IndexView

  private var keys: VaultKeys { unsealed.keys }

  /// Reads a page of the index.
  ///
  /// - Throws: ``Damage/indexPage(_:)`` when it is missing or differs from its digest.
  func page(_ page: Int64) throws(LedgerError) -> IndexPageRow {
    let damage = Damage.indexPage(page)
    guard let row = try stored(damage, { () throws(StoreError) in try connection.indexPage(page) }),
      keys.digest(of: row).elementsEqual(view.digest(ofPage: page))
    else { throw .damaged(damage) }
    return row
  }

  /// Reads all rows of a bucket, which may be none.
  ///
  /// - Throws: ``Damage/indexPage(_:)`` or ``Damage/bucket(_:)``.
  func rows(inBucket bucket: Int64) throws(LedgerError) -> [NamespaceRow] {
    try rows(inBucket: bucket, of: page(bucket / LedgerFormat.bucketsPerPage))
  }

  /// Reads all rows of a bucket whose page was read.
  func rows(
    inBucket bucket: Int64, of page: IndexPageRow
  ) throws(LedgerError) -> [NamespaceRow] {
    let damage = Damage.bucket(bucket)
    let rows = try stored(damage) { () throws(StoreError) in
      try connection.namespaceRows(inBucket: bucket)
    }
    guard let digest = page.digest(ofBucket: bucket) else {
      guard rows.isEmpty else { throw .damaged(damage) }
      return rows
    }
    // A bucket in use holds a name; the digest of no rows is never written.
    guard !rows.isEmpty, keys.digest(ofBucket: bucket, rows).elementsEqual(digest) else {
      throw .damaged(damage)
    }
    return rows
  }

  /// Reads the headers of a namespace's records.
  ///
  /// - Throws: ``Damage/recordSet(_:)`` when they are not those last written.
  func headers(of row: NamespaceRow) throws(LedgerError) -> [RecordHeaderRow] {
    let damage = Damage.recordSet(NamespaceID(unchecked: row.id))
    let headers = try stored(damage) { () throws(StoreError) in
      try connection.recordHeaders(of: row.id)
    }
    guard keys.digest(ofRecords: headers, of: row.id) == row.recordSet else {
      throw .damaged(damage)
    }
    return headers
  }

  /// Unwraps the data key of a namespace.
  ///
  /// - Throws: ``LedgerError/namespaceRevoked`` for a tombstone, ``Damage/dataKey(_:)``.
  func dataKey(of row: NamespaceRow) throws(LedgerError) -> SealingKey {
    guard let nonce = row.keyNonce, let box = row.keyBox else { throw .namespaceRevoked }
    let data = LedgerFormat.dataKeyAssociatedData(
      vaultID: unsealed.vaultID, namespaceID: row.id)
    do {
      return try SealingKey(
        try keys.wrap.open(nonce: nonce.span, box: box.span, associatedData: data.span))
    } catch {
      throw .opening(error, .dataKey(NamespaceID(unchecked: row.id)))
    }
  }

  /// Opens a record whose header was read from the set.
  ///
  /// - Throws: ``Damage/record(_:kind:id:)``.
  func open(
    _ header: RecordHeaderRow, of row: NamespaceRow, with dataKey: borrowing SealingKey
  ) throws(LedgerError) -> SecretBytes {
    let id = NamespaceID(unchecked: row.id)
    guard let kind = RecordKind(rawValue: header.kind) else { throw .damaged(.recordSet(id)) }
    let damage = Damage.record(id, kind: kind, id: header.recordID)
    let box = try stored(damage) { () throws(StoreError) in
      try connection.recordBox(of: row.id, kind: header.kind, recordID: header.recordID)
    }
    guard let box else { throw .damaged(damage) }
    let data = LedgerFormat.associatedData(
      vaultID: unsealed.vaultID, namespaceID: row.id, kind: header.kind,
      recordID: header.recordID, revision: header.revision)
    do {
      return try dataKey.open(nonce: header.nonce.span, box: box.span, associatedData: data.span)
    } catch {
      throw .opening(error, damage)
    }
  }
}

extension LedgerError {
  /// What a failed opening means: damage when the octets do not authenticate.
  static func opening(_ error: VaultCryptoError, _ damage: Damage) -> LedgerError {
    switch error {
    case .authenticationFailed, .invalidKey: .damaged(damage)
    default: .crypto(error)
    }
  }
}

extension IndexPageRow {
  /// The digest of a bucket of this page, `nil` when the bucket is not in use.
  func digest(ofBucket bucket: Int64) -> ArraySlice<UInt8>? {
    let bit = UInt64(1) << UInt64(bucket % LedgerFormat.bucketsPerPage)
    guard used & bit != 0 else { return nil }
    let start = 32 * (used & (bit - 1)).nonzeroBitCount
    return digests[start..<start + 32]
  }

  /// Sets the digest of a bucket of this page, which is in use from then on.
  mutating func setDigest(_ digest: [UInt8], ofBucket bucket: Int64) {
    let bit = UInt64(1) << UInt64(bucket % LedgerFormat.bucketsPerPage)
    let start = 32 * (used & (bit - 1)).nonzeroBitCount
    let end = used & bit != 0 ? start + 32 : start
    digests.replaceSubrange(start..<end, with: digest)
    used |= bit
  }
}
