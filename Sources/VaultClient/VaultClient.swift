// VaultClient
