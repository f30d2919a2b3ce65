/// The buckets of one index page: which are in use, and their digests.
package struct IndexPageRow: Hashable, Sendable {
  /// The number of the page, 0 to 1023.
  package var page: Int64
  /// Bit `n` is set when bucket `64 × page + n` holds a name.
  package var used: UInt64
  /// The digests of the buckets in use, ascending, 32 octets each.
  package var digests: [UInt8]

  /// Makes a row.
  package init(page: Int64, used: UInt64, digests: [UInt8]) {
    self.page = page
    self.used = used
    self.digests = digests
  }
}

extension SQLiteConnection {
  /// Reads one page of the index, `nil` when it is missing.
  package func indexPage(_ page: Int64) throws(StoreError) -> IndexPageRow? {
    try with("SELECT used, digests FROM index_page WHERE page = ?1", .indexPage) {
      row throws(StoreError) in
      try row.bind(1, page)
      guard try row.step() else { return nil }
      return try Self.page(page, row, 0)
    }
  }

  private static func page(
    _ page: Int64, _ row: Statement, _ first: Int32
  ) throws(StoreError) -> IndexPageRow {
    let used = UInt64(bitPattern: try row.integer(first))
    let digests = try row.blob(first + 1, count: 32 * used.nonzeroBitCount)
    return IndexPageRow(page: page, used: used, digests: digests)
  }

  /// Writes one page of the index, replacing the one there.
  package func put(_ page: IndexPageRow) throws(StoreError) {
    try run(
      """
      INSERT INTO index_page (page, used, digests) VALUES (?1, ?2, ?3)
      ON CONFLICT (page) DO UPDATE SET used = ?2, digests = ?3
      """, .indexPage
    ) { row throws(StoreError) in
      try row.bind(1, page.page)
      try row.bind(2, Int64(bitPattern: page.used))
      try row.bind(3, page.digests)
    }
  }

  /// Reads the page digests of one index group (32 × 32 octets), `nil` when it is missing.
  package func indexGroup(_ number: Int64) throws(StoreError) -> [UInt8]? {
    try with("SELECT digests FROM index_group WHERE number = ?1", .indexGroup) {
      row throws(StoreError) in
      try row.bind(1, number)
      return try row.step() ? try row.blob(0, count: 1024) : nil
    }
  }

  /// Writes the page digests of one index group, replacing those there.
  package func putIndexGroup(_ number: Int64, _ digests: [UInt8]) throws(StoreError) {
    try run(
      """
      INSERT INTO index_group (number, digests) VALUES (?1, ?2)
      ON CONFLICT (number) DO UPDATE SET digests = ?2
      """, .indexGroup
    ) { row throws(StoreError) in
      try row.bind(1, number)
      try row.bind(2, digests)
    }
  }
}
