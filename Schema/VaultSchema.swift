/// The contracts of the product, embedded: the method description and the database migrations.
public enum VaultSchema {
  /// The OpenRPC 1.3 description of every method, as UTF-8 JSON.
  public static var openRPC: [UInt8] { PackageResources.vault_openrpc_json }

  /// The database migrations in order, as UTF-8 SQL; the first makes schema version 1, and so on.
  public static var migrations: [[UInt8]] {
    [
      PackageResources.m0001_initial_sql, PackageResources.m0002_lookups_sql,
      PackageResources.m0003_names_sql,
    ]
  }

  /// The schema version that the last migration makes (`PRAGMA user_version`).
  public static let databaseVersion: Int64 = 3

  /// The mark in a vault's database file (`PRAGMA application_id`): "LTCH".
  public static let applicationID: Int64 = 0x4C54_4348
}
