/// What identifies one version of a record, without its sealed content.
package struct RecordHeaderRow: Hashable, Sendable {
  /// The kind of record.
  package var kind: Int64
  /// The identifier within namespace and kind.
  package var recordID: String
  /// Counts the versions of the record, from 1.
  package var revision: Int64
  /// The nonce of the box, 24 octets, drawn anew for each version.
  package var nonce: [UInt8]

  /// Makes a header.
  package init(kind: Int64, recordID: String, revision: Int64, nonce: [UInt8]) {
    self.kind = kind
    self.recordID = recordID
    self.revision = revision
    self.nonce = nonce
  }
}

extension SQLiteConnection {
  /// Reads the headers of all records of a namespace, by kind and identifier.
  package func recordHeaders(of namespaceID: [UInt8]) throws(StoreError) -> [RecordHeaderRow] {
    try with(
      """
      SELECT kind, record_id, revision, nonce FROM record WHERE namespace_id = ?1
      ORDER BY kind, record_id
      """, .record
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      var headers: [RecordHeaderRow] = []
      while try row.step() {
        headers.append(
          RecordHeaderRow(
            kind: try row.integer(0), recordID: try row.text(1), revision: try row.integer(2),
            nonce: try row.blob(3, count: 24)))
      }
      return headers
    }
  }

  /// Reads the sealed content of a record, `nil` when it is missing.
  package func recordBox(
    of namespaceID: [UInt8], kind: Int64, recordID: String
  ) throws(StoreError) -> [UInt8]? {
    try with(
      "SELECT box FROM record WHERE namespace_id = ?1 AND kind = ?2 AND record_id = ?3", .record
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      try row.bind(2, kind)
      try row.bind(3, recordID)
      return try row.step() ? try row.blob(0) : nil
    }
  }

  /// Writes a record, replacing the version there.
  package func put(
    _ header: RecordHeaderRow, box: [UInt8], of namespaceID: [UInt8]
  ) throws(StoreError) {
    try run(
      """
      INSERT INTO record (namespace_id, kind, record_id, revision, nonce, box)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (namespace_id, kind, record_id) DO UPDATE SET revision = ?4, nonce = ?5, box = ?6
      """, .record
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      try row.bind(2, header.kind)
      try row.bind(3, header.recordID)
      try row.bind(4, header.revision)
      try row.bind(5, header.nonce)
      try row.bind(6, box)
    }
  }

  /// Deletes a record.
  ///
  /// - Returns: whether it was there.
  package func deleteRecord(
    of namespaceID: [UInt8], kind: Int64, recordID: String
  ) throws(StoreError) -> Bool {
    try run(
      "DELETE FROM record WHERE namespace_id = ?1 AND kind = ?2 AND record_id = ?3", .record
    ) { row throws(StoreError) in
      try row.bind(1, namespaceID)
      try row.bind(2, kind)
      try row.bind(3, recordID)
    } == 1
  }

  /// Deletes all records of a namespace.
  ///
  /// - Returns: how many there were.
  package func deleteRecords(of namespaceID: [UInt8]) throws(StoreError) -> Int {
    try run("DELETE FROM record WHERE namespace_id = ?1", .record) { row throws(StoreError) in
      try row.bind(1, namespaceID)
    }
  }
}
