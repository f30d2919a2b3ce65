import Foundation
import Glibc
import Testing
import VaultSchema
import VaultStore

@Suite struct OpenRulesTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/vault.db" }
  private var database: VaultDatabase { VaultDatabase(path: path) }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Makes a vault database and closes it.
  private func make() throws {
    let connection = try database.create()
    _ = try connection.truncateLog()
  }

  @Test func `opens what it made, with every pragma set`() throws {
    try make()
    let writer = try database.openWriter()
    let expected: [(String, Int64)] = [
      ("synchronous", 2), ("secure_delete", 1), ("temp_store", 2), ("foreign_keys", 1),
      ("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0), ("user_version", 3),
      ("application_id", 0x4C54_4348),
    ]
    for (name, value) in expected where name != "mmap_size" {
      #expect(try writer.integer("PRAGMA \(name)") == value, "\(name)")
    }
    #expect(try writer.prepare("PRAGMA journal_mode", .state).first() == "wal")
    let reader = try database.openReader()
    #expect(try reader.integer("PRAGMA query_only") == 1)
    #expect(throws: StoreError.self) { try reader.execute("DELETE FROM slot") }
  }

  @Test func `sqlite3 of the distribution finds the schema whole`() throws {
    try make()
    let check = try run(
      "sqlite3",
      [
        path,
        "PRAGMA integrity_check; SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%STRICT%';",
      ])
    #expect(check == "ok\n10\n")
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func `opens no link, pipe or directory, and does not wait for one`(suffix: String) throws {
    try make()
    let file = path + suffix
    try? FileManager.default.moveItem(atPath: file, toPath: directory.path + "/elsewhere")
    let makers: [(String) throws -> Void] = [
      { #expect(unsafe mkfifo($0, 0o600) == 0) },
      { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
      {
        try FileManager.default.createSymbolicLink(
          atPath: $0, withDestinationPath: directory.path + "/elsewhere")
      },
    ]
    for make in makers {
      try make(file)
      #expect(throws: StoreError.damaged(.notRegular(suffix: suffix))) {
        try database.openWriter()
      }
      try FileManager.default.removeItem(atPath: file)
    }
  }

  @Test func `leaves a newer schema untouched to the byte`() throws {
    try make()
    _ = try run("sqlite3", [path, "PRAGMA user_version=4;"])
    let before = try directory.contents()
    #expect(throws: StoreError.newerSchema(found: 4, supported: 3)) { try database.openWriter() }
    #expect(try directory.contents() == before)
  }

  @Test func `sees a newer schema that is only in the log, and leaves it untouched`() throws {
    try make()
    // A process that dies without closing leaves its commit in the log.
    let script = """
      import os, sqlite3
      c = sqlite3.connect("\(path)", isolation_level=None)
      c.execute("PRAGMA wal_autocheckpoint=0")
      c.execute("INSERT INTO audit_outbox VALUES (1, 1, 1, x'00', NULL)")
      c.execute("PRAGMA user_version=7")
      c.execute("INSERT INTO audit_outbox VALUES (2, 2, 2, x'00', NULL)")
      os._exit(0)
      """
    _ = try run("python3", ["-"], input: script)
    let before = try directory.contents()
    #expect(before["vault.db-wal"]?.isEmpty == false)
    #expect(throws: StoreError.newerSchema(found: 7, supported: 3)) { try database.openWriter() }
    #expect(try directory.contents() == before)
  }

  @Test func `overlooks a torn or uncommitted end of the log, as SQLite does`() throws {
    try make()
    let script = """
      import os, sqlite3
      c = sqlite3.connect("\(path)", isolation_level=None)
      c.execute("PRAGMA wal_autocheckpoint=0")
      c.execute("INSERT INTO audit_outbox VALUES (1, 1, 1, x'00', NULL)")
      size = os.path.getsize("\(path)-wal")
      c.execute("PRAGMA user_version=7")
      with open("\(path)-wal", "r+b") as f:
        f.seek(size + 24 + 100)
        f.write(b"\\xff")
      os.remove("\(path)-shm")
      os._exit(0)
      """
    _ = try run("python3", ["-"], input: script)
    #expect(try DatabaseHeader(path: path).userVersion == 3)
    #expect(try database.openWriter().integer("SELECT count(*) FROM audit_outbox") == 1)
  }

  @Test func `refuses files that are no vault without touching them`() throws {
    #expect(throws: StoreError.notAVault) { try database.openWriter() }
    #expect(try directory.contents().isEmpty)
    for content in [Data(), Data("SQLite format 3".utf8), Data(repeating: 7, count: 8192)] {
      try content.write(to: URL(fileURLWithPath: path))
      #expect(throws: StoreError.notAVault) { try database.openWriter() }
      #expect(try directory.contents() == ["vault.db": content])
    }
    try FileManager.default.removeItem(atPath: path)
    _ = try run("sqlite3", [path, "CREATE TABLE a(b); PRAGMA user_version=1;"])
    let before = try directory.contents()
    #expect(throws: StoreError.notAVault) { try database.openWriter() }
    #expect(try directory.contents() == before)
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM slot; END;",
    "CREATE VIEW v AS SELECT * FROM slot;",
    "DROP INDEX namespace_name;",
    "CREATE INDEX extra ON slot(body);",
    "ALTER TABLE slot ADD COLUMN extra INTEGER;",
    "DROP TABLE audit_outbox;",
    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=replace(sql,'>= 1','>= 0') WHERE name='state';",
  ])
  func `a changed schema is damage`(_ sql: String) throws {
    try make()
    _ = try run("sqlite3", [path, sql])
    #expect(throws: StoreError.damaged(.schema)) { try database.openWriter() }
  }

  @Test func `a file cut short is damage or no vault, never an empty one`() throws {
    try make()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for count in stride(from: 0, to: whole.count, by: 4096) {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) { try database.openWriter() }
      switch error {
      case .notAVault, .damaged: break
      default: Issue.record("\(count): \(String(describing: error))")
      }
    }
  }
}

extension Statement {
  /// The text of the first column of the first row.
  func first() throws -> String? { try step() ? try text(0) : nil }
}
