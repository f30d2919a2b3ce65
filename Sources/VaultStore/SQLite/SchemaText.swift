import VaultSchema

/// The check that a file's schema is exactly what the migrations make.
///
/// An added trigger, a dropped index or a loosened CHECK would change what the same statements do,
/// so any difference in `sqlite_schema` is damage. The expected text is taken from an empty database
/// in memory that the embedded migrations were run on: there is no second copy to keep in step.
enum SchemaText {
  /// Compares the schema of a file with the expected one.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` with ``StoreDamage/schema``.
  static func check(_ connection: SQLiteConnection) throws(StoreError) {
    let model = try SQLiteConnection(path: ":memory:", access: .create)
    try Migration.run(on: model, from: 0)
    guard try entries(connection) == entries(model) else { throw .damaged(.schema) }
  }

  private static func entries(_ connection: SQLiteConnection) throws(StoreError) -> [[String]] {
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name",
      .state)
    var entries: [[String]] = []
    while try statement.step() {
      var entry: [String] = []
      for column: Int32 in 0..<4 { entry.append(try statement.text(column)) }
      entries.append(entry)
    }
    return entries
  }
}
