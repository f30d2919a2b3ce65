import VaultStore

/// What a transaction has changed so far, beside what it has written into the database.
///
/// A bucket, a record set or the slots enter here once they have been proven; from then on the
/// digests come from here, not from the file, so that nothing unproven is ever signed. Being a
/// value, it is copied before a savepoint and put back when the savepoint is undone.
struct PendingChanges {
  /// The rows of each bucket that was read, changed ones as they will be.
  var buckets: [Int64: [NamespaceRow]] = [:]
  /// The buckets whose digest must be computed anew.
  var changedBuckets: Set<Int64> = []
  /// The headers of each record set that was read, by namespace identifier.
  var records: [[UInt8]: [RecordHeaderRow]] = [:]
  /// The namespaces whose record set must be computed anew: identifier to name.
  var changedRecords: [[UInt8]: String] = [:]
  /// The digests of the slots by number, when slots were added or removed.
  var slots: [Int64: [UInt8]]?
  /// The number the next slot gets, when slots were added.
  var nextSlot: Int64?
  /// The policy as it will be, when it was changed.
  var policy: PolicyRow?
  /// Whether every pass has its rows in `reader_group` from now on.
  var indexesGroups = false

  /// Whether the version of the index must change.
  var isEmpty: Bool {
    changedBuckets.isEmpty && changedRecords.isEmpty && slots == nil && policy == nil
      && !indexesGroups
  }
}
