// VaultStore
