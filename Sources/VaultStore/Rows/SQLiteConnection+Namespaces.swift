extension SQLiteConnection {
  /// Reads all rows of a bucket, by name.
  package func namespaceRows(inBucket bucket: Int64) throws(StoreError) -> [NamespaceRow] {
    try with("SELECT * FROM namespace WHERE bucket = ?1 ORDER BY name", .namespace) {
      row throws(StoreError) in
      try row.bind(1, bucket)
      var rows: [NamespaceRow] = []
      while try row.step() { rows.append(try NamespaceRow(row)) }
      return rows
    }
  }

  /// Lists names in byte order, up to the first that is not wanted.
  ///
  /// - Parameters:
  ///   - start: where to begin.
  ///   - end: the text that all names come before.
  ///   - limit: the most names to give.
  ///   - isWanted: whether a name is.
  /// - Returns: name and bucket of each, and the name that was not wanted, if there was one.
  /// - Throws: ``StoreError``.
  package func namespaceNames(
    from start: String, before end: String, limit: Int, while isWanted: (String) -> Bool
  ) throws(StoreError) -> (found: [(name: String, bucket: Int64)], unwanted: String?) {
    try with(
      """
      SELECT name, bucket FROM namespace INDEXED BY namespace_name
      WHERE name >= ?1 AND name < ?2 ORDER BY name LIMIT ?3
      """, .namespace
    ) { row throws(StoreError) in
      try row.bind(1, start)
      try row.bind(2, end)
      try row.bind(3, Int64(clamping: limit))
      var found: [(name: String, bucket: Int64)] = []
      while try row.step() {
        let name = try row.text(0)
        guard isWanted(name) else { return (found, name) }
        found.append((name, try row.integer(1)))
      }
      return (found, nil)
    }
  }

  /// Lists the names below another one that are no tombstones, in byte order.
  ///
  /// Costs a look at every name below it, tombstones included.
  ///
  /// - Parameters:
  ///   - parent: the name they are below; it is not among them.
  ///   - limit: the most names to give.
  /// - Returns: the names.
  /// - Throws: ``StoreError``.
  package func livingNames(below parent: String, limit: Int) throws(StoreError) -> [String] {
    try with(
      """
      SELECT name FROM namespace INDEXED BY namespace_name
      WHERE name >= ?1 AND name < ?2 AND key_box IS NOT NULL ORDER BY name LIMIT ?3
      """, .namespace
    ) { row throws(StoreError) in
      try row.bind(1, parent + "/")
      // The character after the slash.
      try row.bind(2, parent + "0")
      try row.bind(3, Int64(clamping: limit))
      var names: [String] = []
      while try row.step() { names.append(try row.text(0)) }
      return names
    }
  }

  /// Lists pending deletions that are due, oldest first: name and bucket.
  package func namespacesDue(
    at time: Int64, limit: Int
  ) throws(StoreError) -> [(name: String, bucket: Int64)] {
    try with(
      """
      SELECT name, bucket FROM namespace INDEXED BY namespace_delete_after
      WHERE delete_after > 0 AND delete_after <= ?1 ORDER BY delete_after LIMIT ?2
      """, .namespace
    ) { row throws(StoreError) in
      try row.bind(1, time)
      try row.bind(2, Int64(clamping: limit))
      var names: [(name: String, bucket: Int64)] = []
      while try row.step() { names.append((try row.text(0), try row.integer(1))) }
      return names
    }
  }

  /// Adds a name; it must be free, tombstones included.
  package func insert(_ namespace: NamespaceRow) throws(StoreError) {
    try run(
      """
      INSERT INTO namespace VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
        ?15)
      """, .namespace
    ) { row throws(StoreError) in try Self.bind(namespace, row) }
  }

  /// Overwrites the columns of a name; bucket, name and identifier stay.
  ///
  /// - Returns: whether the row was there.
  package func update(_ namespace: NamespaceRow) throws(StoreError) -> Bool {
    try run(
      """
      UPDATE namespace SET generation = ?4, state = ?5, presentation_version = ?6,
        signing_version = ?7, issuer_version = ?8, reader_ca_version = ?9, delete_after = ?10,
        created = ?11, changed = ?12, record_set = ?13, key_nonce = ?14, key_box = ?15
      WHERE bucket = ?1 AND name = ?2 AND id = ?3
      """, .namespace
    ) { row throws(StoreError) in try Self.bind(namespace, row) } == 1
  }

  /// Overwrites the wrapped data key of a name in place with zeros; the row keeps its size.
  package func overwriteKey(of namespace: NamespaceRow) throws(StoreError) {
    try run(
      """
      UPDATE namespace SET key_nonce = zeroblob(24), key_box = zeroblob(48)
      WHERE bucket = ?1 AND name = ?2 AND key_box IS NOT NULL
      """, .namespace
    ) { row throws(StoreError) in
      try row.bind(1, namespace.bucket)
      try row.bind(2, namespace.name)
    }
  }

  private static func bind(_ namespace: NamespaceRow, _ row: Statement) throws(StoreError) {
    try row.bind(1, namespace.bucket)
    try row.bind(2, namespace.name)
    try row.bind(3, namespace.id)
    try row.bind(4, namespace.generation)
    try row.bind(5, namespace.state)
    for (index, version) in namespace.keyVersions.prefix(4).enumerated() {
      try row.bind(6 + Int32(index), version)
    }
    try row.bind(10, namespace.deleteAfter)
    try row.bind(11, namespace.created)
    try row.bind(12, namespace.changed)
    try row.bind(13, namespace.recordSet)
    try row.bind(14, namespace.keyNonce)
    try row.bind(15, namespace.keyBox)
  }
}
