import DiskFaults
import Foundation
import Testing
import VaultStore

@Suite struct TransactionTests {
  private let directory: TemporaryDirectory
  private let recorder = DiskRecorder()
  private let database: VaultDatabase
  private let writer: SQLiteConnection

  init() throws {
    directory = try TemporaryDirectory()
    database = VaultDatabase(path: directory.path + "/vault.db", vfs: recorder.vfs)
    writer = try database.create()
  }

  private func outbox(_ batch: Int64, size: Int = 10) -> OutboxRow {
    OutboxRow(
      batch: batch, firstSeq: batch, lastSeq: batch, lines: [UInt8](repeating: 1, count: size),
      mac: nil)
  }

  private func batches() throws -> [Int64] {
    try writer.outboxRows(from: 0, limit: 100).map(\.batch)
  }

  @Test func `a savepoint undoes its own changes only`() throws {
    try writer.begin()
    try writer.insert(outbox(1))
    #expect(throws: StoreError.busy) {
      try writer.savepoint(wrap: { $0 }) { () throws(StoreError) in
        try writer.insert(outbox(2))
        throw .busy
      }
    }
    try writer.savepoint(wrap: { $0 }) { () throws(StoreError) in try writer.insert(outbox(3)) }
    try writer.commit()
    #expect(try batches() == [1, 3])
  }

  @Test func `a savepoint without a transaction is refused`() {
    #expect(throws: StoreError.transactionLost) {
      try writer.savepoint(wrap: { $0 }) { () throws(StoreError) in try writer.insert(outbox(1)) }
    }
    #expect(throws: StoreError.transactionLost) { try writer.commit() }
  }

  @Test func `a second writer waits and is told that the lock is held`() throws {
    let other = try SQLiteConnection(path: database.path, access: .readWrite, vfs: database.vfs)
    try other.execute("PRAGMA busy_timeout=0")
    try writer.begin()
    #expect(throws: StoreError.busy) { try other.begin() }
    try writer.rollback()
    try other.begin()
  }

  @Test func `names what the disk said`() throws {
    let cases: [(Int32, StoreError)] = [
      (ENOSPC, .storageFull), (EDQUOT, .storageFull), (EROFS, .readOnly),
      (EIO, .inputOutput(code: 0, errno: EIO)),
    ]
    for (code, expected) in cases {
      for isSync in [false, true] {
        recorder.fail(.init(after: 0, code: code) { $0.isSync == isSync })
        let error = #expect(throws: StoreError.self) {
          try writer.begin()
          try writer.insert(outbox(1))
          try writer.commit()
        }
        recorder.fail(nil)
        try writer.rollback()
        if case .inputOutput(_, let errno)? = error, code == EIO {
          #expect(errno == EIO)
        } else {
          #expect(error == expected)
        }
        #expect(try batches() == [])
      }
    }
    try writer.begin()
    try writer.insert(outbox(1))
    try writer.commit()
    #expect(try batches() == [1])
  }

  @Test func `a transaction that SQLite undid itself is not committed in part`() throws {
    try writer.execute("PRAGMA cache_size=1; PRAGMA cache_spill=1")
    try writer.begin()
    try writer.insert(outbox(1))
    recorder.fail(.init(after: 0, code: EIO) { $0.needsSpace })
    // Large rows spill out of the cache, so that the write fails before COMMIT.
    #expect(throws: StoreError.self) {
      for batch in 2..<40 {
        try writer.savepoint(wrap: { $0 }) { () throws(StoreError) in
          try writer.insert(outbox(Int64(batch), size: 20_000))
        }
      }
    }
    recorder.fail(nil)
    #expect(throws: StoreError.transactionLost) {
      try writer.savepoint(wrap: { $0 }) { () throws(StoreError) in
        try writer.insert(outbox(90))
      }
    }
    #expect(throws: StoreError.transactionLost) { try writer.commit() }
    try writer.rollback()
    #expect(try batches() == [])
  }

  @Test func `checks refuse rows that are out of shape`() throws {
    let error = #expect(throws: StoreError.self) {
      try writer.insert(SlotRow(slot: 1, body: [1, 2, 3]))
    }
    guard case .constraint = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a row of the wrong shape is damage of its table`() throws {
    try writer.execute(
      """
      PRAGMA ignore_check_constraints=ON;
      INSERT INTO policy VALUES (1, 1, x'00', zeroblob(20));
      """)
    #expect(throws: StoreError.damaged(.row(.policy))) { try writer.policyRow() }
  }

  @Test func `lists names in byte order from any point`() throws {
    let names = ["a", "a-", "a.b", "a/b", "a0", "aa", "b", "b/c"]
    for (index, name) in names.shuffled().enumerated() {
      try writer.insert(namespace(name, UInt8(index)))
    }
    func list(
      _ start: String, _ end: String, _ limit: Int, without unwanted: String? = nil
    ) throws -> [String] {
      let read = try writer.namespaceNames(from: start, before: end, limit: limit) {
        $0 != unwanted
      }
      #expect(read.unwanted == unwanted)
      return read.found.map(\.name)
    }
    #expect(try list("", "z", 100) == names.sorted())
    #expect(try list("a", "a~", 3) == ["a", "a-", "a.b"])
    #expect(try list("a.b", "b", 3) == ["a.b", "a/b", "a0"])
    #expect(try list("b", "b", 2) == [])
    #expect(try list("a~", "c", 9) == ["b", "b/c"])
    #expect(try list("b/d", "c", 9) == [])
    #expect(try list("a.", "b", 9, without: "a0") == ["a.b", "a/b"])
  }

  @Test func `lists what lives below a name, and nothing beside`() throws {
    for (index, name) in ["a", "a-b", "a/b", "a/b/c", "a/gone", "a0", "b/a/c"].enumerated() {
      var row = namespace(name, UInt8(index))
      if name == "a/gone" { (row.state, row.keyNonce, row.keyBox) = (3, nil, nil) }
      try writer.insert(row)
    }
    #expect(try writer.livingNames(below: "a", limit: 9) == ["a/b", "a/b/c"])
    #expect(try writer.livingNames(below: "a", limit: 1) == ["a/b"])
    #expect(try writer.livingNames(below: "a/b/c", limit: 9) == [])
  }

  private func namespace(_ name: String, _ id: UInt8) -> NamespaceRow {
    NamespaceRow(
      bucket: Int64(id), name: name, id: [UInt8](repeating: id, count: 16), generation: 1,
      state: 1, keyVersions: [0, 0, 0, 0], deleteAfter: 0, created: 1, changed: 1,
      recordSet: [UInt8](repeating: 0, count: 32), keyNonce: [UInt8](repeating: 0, count: 24),
      keyBox: [UInt8](repeating: 0, count: 48))
  }
}
