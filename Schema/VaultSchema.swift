/// The contracts of the product, embedded: the method description and the database migrations.
public enum VaultSchema {
  /// The OpenRPC 1.3 description of every method, as UTF-8 JSON.
  public static var openRPC: [UInt8] { PackageResources.vault_openrpc_json }
}
