import VaultStore

extension LedgerWriter {
  /// Writes the digests of everything that changed and the state row, and makes the coming version
  /// known to readers.
  func settle(_ state: CommitState) throws(LedgerError) -> StateRow {
    let reader = try reader()
    try settleRecordSets(reader)
    guard let changes = transaction?.changes else { throw .misuse }
    let keys = reader.unsealed.keys
    var row = reader.unsealed.state
    row.epoch = state.epoch
    row.seq = state.seq
    row.chainHead = state.chainHead
    row.clockFloor = state.clockFloor
    row.erasurePending = state.erasurePending
    if !changes.isEmpty {
      row.indexVersion += 1
      row.groupsIndexed = row.groupsIndexed || changes.indexesGroups
      let view = try settlePages(changes, reader, row)
      for group in Set(changes.changedBuckets.map { $0 / LedgerFormat.bucketsPerGroup }) {
        let digests = view.digests(ofGroup: group)
        try stored { () throws(StoreError) in try connection.putIndexGroup(group, digests) }
        let start = Int(group) * 32
        row.indexRoot.replaceSubrange(
          start..<start + 32, with: keys.digest(ofGroup: group, digests))
      }
      if let slots = changes.slots {
        row.slotSet = LedgerFormat.slotSet(slots)
        row.nextSlot = changes.nextSlot ?? row.nextSlot
      }
      if let policy = changes.policy {
        row.policyRevision = policy.revision
        row.policyDigest = keys.digest(of: policy)
      }
      reader.unsealed.table.stage(view)
    }
    row.mac = keys.mac(of: row, in: reader.unsealed.vault)
    let settled = row
    try stored { () throws(StoreError) in try connection.put(settled) }
    return settled
  }

  private func settleRecordSets(_ reader: IndexReader) throws(LedgerError) {
    guard let changes = transaction?.changes else { throw .misuse }
    for (id, name) in changes.changedRecords {
      guard let headers = changes.records[id] else { throw .misuse }
      try change(name) { row throws(LedgerError) in
        row.recordSet = reader.unsealed.keys.digest(ofRecords: headers, of: id)
      }
    }
  }

  private func settlePages(
    _ changes: PendingChanges, _ reader: IndexReader, _ state: StateRow
  ) throws(LedgerError) -> IndexView {
    var digests: [Int64: [UInt8]] = [:]
    let pages = Dictionary(grouping: changes.changedBuckets) { $0 / LedgerFormat.bucketsPerPage }
    for (number, buckets) in pages {
      var page = try reader.page(number)
      for bucket in buckets {
        guard let rows = changes.buckets[bucket] else { throw .misuse }
        page.setDigest(reader.unsealed.keys.digest(ofBucket: bucket, rows), ofBucket: bucket)
      }
      let settled = page
      try stored { () throws(StoreError) in try connection.put(settled) }
      digests[number] = reader.unsealed.keys.digest(of: page)
    }
    return reader.view.replacing(
      digests, version: state.indexVersion, groupsIndexed: state.groupsIndexed)
  }
}
