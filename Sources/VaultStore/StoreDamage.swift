/// The part of the database that was found damaged.
public enum StoreDamage: Hashable, Sendable {
  /// SQLite itself found the file malformed (its extended result code).
  case file(code: Int32)
  /// The file whose name ends like this, nothing for the database itself, is a link, a pipe, a
  /// directory or another thing that no vault has there.
  case notRegular(suffix: String)
  /// Tables, indexes, triggers or views differ from what the migrations make.
  case schema
  /// A row of this table has not the shape it must have.
  case row(StoreTable)
}
