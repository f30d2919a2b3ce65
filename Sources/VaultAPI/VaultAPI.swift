// VaultAPI
