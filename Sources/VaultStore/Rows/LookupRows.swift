/// One of the reader groups that a namespace is found by.
package struct ReaderGroupRow: Hashable, Sendable {
  /// The start of a keyed hash of what an advertisement carries of the group, 16 octets.
  package let tag: [UInt8]
  /// Whether the namespace has the group's resolving key.
  package let isKeyed: Bool
  /// The namespace's name.
  package let name: String

  /// Makes a row.
  package init(tag: [UInt8], isKeyed: Bool, name: String) {
    self.tag = tag
    self.isKeyed = isKeyed
    self.name = name
  }
}

// What namespaces are found by: rows that hold nothing but keyed hashes, names and identifiers.
extension SQLiteConnection {
  /// Reads the reader groups of a namespace.
  package func readerGroups(
    of namespaceID: [UInt8]
  ) throws(StoreError) -> Set<ReaderGroupRow> {
    try with(
      """
      SELECT tag, keyed, name FROM reader_group INDEXED BY reader_group_namespace
      WHERE namespace_id = ?1
      """, .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      var groups: Set<ReaderGroupRow> = []
      while try row.step() {
        groups.insert(
          ReaderGroupRow(
            tag: try row.blob(0, count: 16), isKeyed: try row.integer(1) == 1,
            name: try row.text(2)))
      }
      return groups
    }
  }

  /// Finds the namespaces of a reader group in the byte order of their names, up to the first that is
  /// not wanted.
  ///
  /// - Parameters:
  ///   - tag: the group's tag.
  ///   - isKeyed: whether they are to have its resolving key, or not to.
  ///   - start: where in the order of names to begin.
  ///   - limit: the most to give.
  ///   - isWanted: whether the namespace of a name is.
  /// - Returns: their names and identifiers, 16 octets each, and the name that was not wanted, if there
  ///   was one.
  /// - Throws: ``StoreError``.
  package func namespaces(
    inReaderGroup tag: [UInt8], isKeyed: Bool, from start: String, limit: Int,
    while isWanted: (String) -> Bool
  ) throws(StoreError) -> (found: [(name: String, id: [UInt8])], unwanted: String?) {
    try with(
      """
      SELECT name, namespace_id FROM reader_group WHERE tag = ?1 AND keyed = ?2 AND name >= ?3
      ORDER BY name LIMIT ?4
      """, .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, tag)
      try row.bind(2, isKeyed ? 1 : 0)
      try row.bind(3, start)
      try row.bind(4, Int64(clamping: limit))
      var found: [(name: String, id: [UInt8])] = []
      while try row.step() {
        let name = try row.text(0)
        guard isWanted(name) else { return (found, name) }
        found.append((name, try row.blob(1, count: 16)))
      }
      return (found, nil)
    }
  }

  /// Adds a namespace to a reader group.
  package func insert(
    _ group: ReaderGroupRow, of namespaceID: [UInt8]
  ) throws(StoreError) {
    try run(
      "INSERT INTO reader_group (tag, keyed, name, namespace_id) VALUES (?1, ?2, ?3, ?4)",
      .readerGroup
    ) { row throws(StoreError) in
      try row.bind(1, group.tag)
      try row.bind(2, group.isKeyed ? 1 : 0)
      try row.bind(3, group.name)
      try row.bind(4, namespaceID)
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
