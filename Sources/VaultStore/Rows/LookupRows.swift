// What namespaces are found by: rows that hold nothing but keyed hashes and identifiers.
extension SQLiteConnection {
  /// Reads the tags of a namespace's reader groups, ascending, 16 octets each.
  package func readerGroups(of namespaceID: [UInt8]) throws(StoreError) -> [[UInt8]] {
    try with(
      """
      SELECT tag FROM reader_group INDEXED BY reader_group_namespace WHERE namespace_id = ?1
      ORDER BY tag
      """, .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      var tags: [[UInt8]] = []
      while try row.step() { tags.append(try row.blob(0, count: 16)) }
      return tags
    }
  }

  /// Finds the namespaces of a reader group, ascending by identifier, 16 octets each.
  ///
  /// - Parameters:
  ///   - tag: the group's tag.
  ///   - limit: the most to give.
  /// - Returns: their identifiers.
  /// - Throws: ``StoreError``.
  package func namespaces(
    inReaderGroup tag: [UInt8], limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try with(
      "SELECT namespace_id FROM reader_group WHERE tag = ?1 ORDER BY namespace_id LIMIT ?2",
      .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, tag)
      try row.bind(2, Int64(clamping: limit))
      var namespaces: [[UInt8]] = []
      while try row.step() { namespaces.append(try row.blob(0, count: 16)) }
      return namespaces
    }
  }

  /// Adds a namespace to a reader group.
  package func insertReaderGroup(
    _ tag: [UInt8], of namespaceID: [UInt8]
  ) throws(StoreError) {
    try run("INSERT INTO reader_group (tag, namespace_id) VALUES (?1, ?2)", .readerGroup) {
      row throws(StoreError) in
      try row.bind(1, tag)
      try row.bind(2, namespaceID)
    }
  }

  /// Takes a namespace out of all reader groups.
  package func deleteReaderGroups(of namespaceID: [UInt8]) throws(StoreError) {
    try run("DELETE FROM reader_group WHERE namespace_id = ?1", .readerGroup) {
      row throws(StoreError) in
      try row.bind(1, namespaceID)
    }
  }
}
