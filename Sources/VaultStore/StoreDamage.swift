/// The part of the database that was found damaged.
public enum StoreDamage: Hashable, Sendable {
  /// SQLite itself found the file malformed (its extended result code).
  case file(code: Int32)
  /// Tables, indexes, triggers or views differ from what the migrations make.
  case schema
  /// A row of this table has not the shape it must have.
  case row(StoreTable)
}
