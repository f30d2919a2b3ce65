import DiskFaults
import Foundation
import Testing
import VaultSchema
import VaultStore

/// From schema version 1 to the present one.
@Suite struct MigrationTests {
  private let directory: TemporaryDirectory
  private let recorder = DiskRecorder()
  private let database: VaultDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = VaultDatabase(path: directory.path + "/vault.db", vfs: recorder.vfs)
  }

  /// Makes a vault as the release of version 1 left it: its schema script, and rows it wrote.
  private func makeFirstVersion() throws {
    let script = String(decoding: try #require(VaultSchema.migrations.first), as: UTF8.self)
    let rows = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/vault-version-1.sql")
    let connection = try SQLiteConnection(path: database.path, access: .create, vfs: database.vfs)
    try connection.execute(
      "PRAGMA journal_mode=WAL; PRAGMA application_id=\(VaultSchema.applicationID);")
    try connection.execute("BEGIN; \(script) PRAGMA user_version=1; COMMIT;")
    try connection.execute("BEGIN; \(try String(contentsOf: rows, encoding: .utf8)) COMMIT;")
    #expect(try connection.truncateLog())
  }

  /// The version a file is at, once it is seen to be whole.
  private func version(_ path: String) throws -> Int64 {
    let version = try DatabaseHeader(path: path).userVersion
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    #expect(try connection.integer("PRAGMA user_version") == version)
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'reader_group'")
    let columns = try connection.integer(
      "SELECT count(*) FROM pragma_table_info('state') WHERE name = 'groups_indexed'")
    #expect((tables, columns) == (version == 1 ? (0, 0) : (1, 1)))
    let names = try connection.integer(
      "SELECT count(*) FROM pragma_table_info('reader_group') WHERE name = 'name'")
    #expect(names == (version < 3 ? 0 : 1))
    return version
  }

  /// That a file opens, and has lost nothing.
  private func expectWhole(_ path: String) throws {
    let writer = try VaultDatabase(path: path).openWriter()
    #expect(try writer.integer("PRAGMA user_version") == VaultSchema.databaseVersion)
    #expect(try writer.prepare("PRAGMA integrity_check", .state).first() == "ok")
    #expect(try writer.integer("SELECT count(*) FROM namespace") == 4)
    #expect(try writer.integer("SELECT count(*) FROM record") == 6)
    #expect(try writer.integer("SELECT count(*) FROM index_page") == 1_024)
    let state = try #require(try writer.stateRow())
    #expect(!state.groupsIndexed && state.seq > 10)
    #expect(try writer.readerGroups(of: [UInt8](repeating: 0, count: 16)) == [])
  }

  @Test func `an older vault is brought up to date when it is opened, and loses nothing`() throws {
    try makeFirstVersion()
    #expect(try version(database.path) == 1)
    try expectWhole(database.path)
    #expect(try version(database.path) == 3)
    try expectWhole(database.path)
  }

  @Test func `power loss at any moment leaves one version or the next`() throws {
    try makeFirstVersion()
    let start = recorder.events.count
    _ = try database.openWriter()
    let events = recorder.events
    var image = DiskImage(directories: ["/tmp", directory.path])
    var versions: Set<Int64> = []
    for (index, event) in events.enumerated() {
      image.apply(event)
      guard index >= start else { continue }
      for survival in [DiskImage.Survival.none, .all]
        + (0..<4).map({ .random(seed: UInt64(index * 4 + $0)) })
      {
        let copy = try TemporaryDirectory()
        try image.write(survival, below: directory.path, to: copy.path)
        versions.insert(try version(copy.path + "/vault.db"))
        try expectWhole(copy.path + "/vault.db")
      }
    }
    #expect(versions == [1, 2, 3])
  }

  @Test(arguments: [ENOSPC, EIO])
  func `whichever operation fails, the next attempt finds a whole version`(_ code: Int32) throws {
    try makeFirstVersion()
    let before = try directory.contents()
    var count = 0
    while true {
      recorder.fail(.init(after: count, code: code))
      let result = Result { _ = try database.openWriter() }
      recorder.fail(nil)
      guard case .failure = result else { break }
      count += 1
      #expect([1, 2, 3].contains(try version(database.path)))
      try expectWhole(database.path)
      for (name, content) in before {
        try content.write(to: URL(filePath: "\(directory.path)/\(name)"))
      }
      for name in try directory.contents().keys where before[name] == nil {
        try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
      }
    }
    #expect(count > 3)
  }

  @Test func `what version 2 finds namespaces by gets their names, but for what is no namespace's`()
    throws
  {
    try makeFirstVersion()
    let script = String(decoding: VaultSchema.migrations[1], as: UTF8.self)
    let connection = try SQLiteConnection(path: database.path, access: .readWrite)
    try connection.execute("BEGIN; \(script) PRAGMA user_version=2; COMMIT;")
    try connection.execute(
      """
      PRAGMA foreign_keys=OFF; BEGIN;
      INSERT INTO reader_group SELECT zeroblob(16), 1, id FROM namespace;
      INSERT INTO reader_group SELECT zeroblob(16), 0, id FROM namespace;
      INSERT INTO reader_group VALUES (zeroblob(16), 1, zeroblob(16));
      COMMIT;
      """)
    #expect(try connection.truncateLog())
    let writer = try VaultDatabase(path: database.path).openWriter()
    #expect(try version(database.path) == 3)
    #expect(try writer.integer("SELECT count(*) FROM reader_group") == 8)
    let strays = try writer.integer(
      """
      SELECT count(*) FROM reader_group AS found LEFT JOIN namespace
        ON namespace.id = found.namespace_id AND namespace.name = found.name
      WHERE namespace.id IS NULL
      """)
    #expect(strays == 0)
    let tag = [UInt8](repeating: 0, count: 16)
    let found = try writer.namespaces(
      inReaderGroup: tag, isKeyed: true, from: "", limit: 9, while: { _ in true })
    #expect(found.found.map(\.name) == found.found.map(\.name).sorted() && found.found.count == 4)
  }

  @Test func `a version 1 with another schema than its script makes is damage`() throws {
    try makeFirstVersion()
    _ = try run(
      "sqlite3",
      [database.path, "CREATE TRIGGER t AFTER INSERT ON slot BEGIN SELECT 1; END;"])
    #expect(throws: StoreError.damaged(.schema)) { try database.openWriter() }
  }
}
