/// Which vault a database holds; one row.
package struct VaultRow: Hashable, Sendable {
  /// The vault's identifier, 16 random octets for life.
  package var vaultID: [UInt8]
  /// 16 random octets, new when the vault is restored from a backup.
  package var instanceID: [UInt8]
  /// The version of the record and index formats.
  package var format: Int64
  /// When the vault was made, Unix seconds.
  package var created: Int64
  /// A MAC of the master key over the other columns, 32 octets.
  package var keyCheck: [UInt8]

  /// Makes a row.
  package init(
    vaultID: [UInt8], instanceID: [UInt8], format: Int64, created: Int64, keyCheck: [UInt8]
  ) {
    self.vaultID = vaultID
    self.instanceID = instanceID
    self.format = format
    self.created = created
    self.keyCheck = keyCheck
  }
}

extension SQLiteConnection {
  /// Reads the vault row, `nil` when it is missing.
  package func vaultRow() throws(StoreError) -> VaultRow? {
    try with(
      "SELECT vault_id, instance_id, format, created, key_check FROM vault WHERE id = 1", .vault
    ) { row throws(StoreError) in
      guard try row.step() else { return nil }
      return VaultRow(
        vaultID: try row.blob(0, count: 16), instanceID: try row.blob(1, count: 16),
        format: try row.integer(2), created: try row.integer(3),
        keyCheck: try row.blob(4, count: 32))
    }
  }

  /// Writes the vault row, replacing the one there.
  package func put(_ vault: VaultRow) throws(StoreError) {
    try run(
      """
      INSERT INTO vault (id, vault_id, instance_id, format, created, key_check)
      VALUES (1, ?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (id) DO UPDATE SET vault_id = ?1, instance_id = ?2, format = ?3, created = ?4,
        key_check = ?5
      """, .vault
    ) { row throws(StoreError) in
      try row.bind(1, vault.vaultID)
      try row.bind(2, vault.instanceID)
      try row.bind(3, vault.format)
      try row.bind(4, vault.created)
      try row.bind(5, vault.keyCheck)
    }
  }
}
