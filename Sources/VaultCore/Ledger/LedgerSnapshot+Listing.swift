import VaultStore
import WireCoding

extension LedgerSnapshot {
  /// Lists namespaces by name.
  ///
  /// Each one shown is proven; that none was left out is not: the order of names is not part of the
  /// authenticated index. Where a missing name would matter, ``allNamespaces(prefix:)`` is used.
  ///
  /// - Parameters:
  ///   - after: the name to continue after, `nil` for the start.
  ///   - prefix: what the names start with, empty for all.
  ///   - limit: the most names to give, 1 to 1,000.
  ///   - reach: the namespaces that may be shown; nothing in the page depends on the others.
  ///   - bound: how many gaps between these to step over at most.
  /// - Returns: the page; `nil` when there were more gaps.
  /// - Throws: ``LedgerError/store(_:)``.
  func list(
    after: String?, prefix: String, limit: Int, within reach: NamespaceReach = .everything,
    gaps bound: Int = .max
  ) throws(LedgerError) -> NamespacePage? {
    let limit = min(max(limit, 1), 1_000)
    // The smallest text after a name is that name and the smallest character. Names are ASCII, so
    // every continuation of the prefix comes before the prefix and U+007F.
    let start = max(after.map { $0 + "\u{1}" } ?? prefix, prefix)
    let connection = reader.connection
    var names: [(name: String, bucket: Int64)] = []
    let isWhole = try reach.walk(from: start, before: prefix + "\u{7f}", atMost: bound) {
      (start, isWanted) throws(LedgerError) in
      let (found, unwanted) = try stored { () throws(StoreError) in
        try connection.namespaceNames(
          from: start, before: prefix + "\u{7f}", limit: limit + 1 - names.count, while: isWanted)
      }
      names += found
      return unwanted
    }
    return isWhole ? try page(of: names, limit: limit) : nil
  }

  private func page(
    of names: [(name: String, bucket: Int64)], limit: Int
  ) throws(LedgerError) -> NamespacePage {
    var page = NamespacePage()
    for (name, bucket) in names.prefix(limit) {
      do throws(LedgerError) {
        guard let valid = try? NamespaceName(name), let entry = try namespace(named: valid),
          entry.row.bucket == bucket
        else { throw .damaged(.nameIndex(name)) }
        page.entries.append(entry)
      } catch {
        guard case .damaged(let damage) = error else { throw error }
        page.damaged[name] = damage
      }
    }
    if names.count > limit { page.next = names[limit - 1].name }
    return page
  }

  /// Finds every namespace with a prefix by walking the whole authenticated index.
  ///
  /// Nothing can be left out without being noticed. Costs a read of every bucket in use: about a
  /// second for a million names.
  ///
  /// - Parameter prefix: what the names start with.
  /// - Returns: the namespaces in byte order of their names.
  /// - Throws: ``LedgerError/damaged(_:)`` for the first page or bucket that is damaged.
  package func allNamespaces(prefix: String) throws(LedgerError) -> [NamespaceEntry] {
    var entries: [NamespaceEntry] = []
    try walk { bucket throws(LedgerError) in
      for row in try bucket.get() where row.name.utf8.starts(with: prefix.utf8) {
        guard let entry = NamespaceEntry(row) else { throw .damaged(.bucket(row.bucket)) }
        entries.append(entry)
      }
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Finds the namespaces at and below a name that are no tombstones, by walking the whole
  /// authenticated index.
  ///
  /// Nothing can be left out without being noticed; it costs what ``allNamespaces(prefix:)`` does.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - limit: the most to give.
  /// - Returns: their names, in no order.
  /// - Throws: ``LedgerError/damaged(_:)`` for the first page or bucket that is damaged.
  func livingNamespaces(
    within name: NamespaceName, limit: Int
  ) throws(LedgerError) -> [NamespaceName] {
    var names: [NamespaceName] = []
    try walk { bucket throws(LedgerError) in
      for row in try bucket.get() where row.name.utf8.starts(with: name.rawValue.utf8) {
        guard let entry = NamespaceEntry(row) else { throw .damaged(.bucket(row.bucket)) }
        guard entry.state != .tombstone, entry.name.isWithin(name), names.count < limit else {
          continue
        }
        names.append(entry.name)
      }
    }
    return names
  }

  /// Walks every bucket in use, in the order of the index.
  ///
  /// - Parameter body: given the rows of each bucket; in place of a damaged bucket, or of all those of
  ///   a damaged page, what is damaged.
  /// - Throws: what `body` throws, and every failure but damage.
  func walk(
    _ body: (Result<[NamespaceRow], LedgerError>) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    for number in 0..<LedgerFormat.pageCount {
      let found = try damageAsValue { () throws(LedgerError) in try reader.page(number) }
      guard case .success(let page) = found else {
        try body(found.map { _ in [] })
        continue
      }
      var used = page.used
      while used != 0 {
        let bucket = number * LedgerFormat.bucketsPerPage + Int64(used.trailingZeroBitCount)
        used &= used - 1
        try body(
          damageAsValue { () throws(LedgerError) in try reader.rows(inBucket: bucket, of: page) })
      }
    }
  }

  private func damageAsValue<Value>(
    _ body: () throws(LedgerError) -> Value
  ) throws(LedgerError) -> Result<Value, LedgerError> {
    do { return .success(try body()) } catch {
      guard case .damaged = error else { throw error }
      return .failure(error)
    }
  }
}
