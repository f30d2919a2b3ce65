/// One of the reader groups that a namespace is found by.
package struct ReaderGroupRow: Hashable, Sendable {
  /// The start of a keyed hash of what an advertisement carries of the group, 16 octets.
  package let tag: [UInt8]
  /// Whether the namespace has the group's resolving key.
  package let isKeyed: Bool

  /// Makes a row.
  package init(tag: [UInt8], isKeyed: Bool) {
    self.tag = tag
    self.isKeyed = isKeyed
  }
}

// What namespaces are found by: rows that hold nothing but keyed hashes and identifiers.
extension SQLiteConnection {
  /// Reads the reader groups of a namespace.
  package func readerGroups(
    of namespaceID: [UInt8]
  ) throws(StoreError) -> Set<ReaderGroupRow> {
    try with(
      """
      SELECT tag, keyed FROM reader_group INDEXED BY reader_group_namespace WHERE namespace_id = ?1
      """, .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      var groups: Set<ReaderGroupRow> = []
      while try row.step() {
        groups.insert(
          ReaderGroupRow(tag: try row.blob(0, count: 16), isKeyed: try row.integer(1) == 1))
      }
      return groups
    }
  }

  /// Finds the namespaces of a reader group: those that have its resolving key first, then ascending
  /// by identifier.
  ///
  /// - Parameters:
  ///   - tag: the group's tag.
  ///   - limit: the most to give.
  /// - Returns: their identifiers, 16 octets each, and whether they have the key; one can be there
  ///   twice, with and without it, as groups of one pass may have the same tag.
  /// - Throws: ``StoreError``.
  package func namespaces(
    inReaderGroup tag: [UInt8], limit: Int
  ) throws(StoreError) -> [(id: [UInt8], isKeyed: Bool)] {
    try with(
      """
      SELECT namespace_id, keyed FROM reader_group WHERE tag = ?1
      ORDER BY keyed DESC, namespace_id LIMIT ?2
      """, .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, tag)
      try row.bind(2, Int64(clamping: limit))
      var namespaces: [(id: [UInt8], isKeyed: Bool)] = []
      while try row.step() {
        namespaces.append((try row.blob(0, count: 16), try row.integer(1) == 1))
      }
      return namespaces
    }
  }

  /// Adds a namespace to a reader group.
  package func insert(
    _ group: ReaderGroupRow, of namespaceID: [UInt8]
  ) throws(StoreError) {
    try run(
      "INSERT INTO reader_group (tag, keyed, namespace_id) VALUES (?1, ?2, ?3)", .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, group.tag)
      try row.bind(2, group.isKeyed ? 1 : 0)
      try row.bind(3, namespaceID)
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
